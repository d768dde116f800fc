package import SockeyeCore
import SockeyeNet
package import SockeyePlatform

/// A regular file that is read, or sent, from start to end.
///
/// Reads are pieces of 256 KiB, into one block that is used again when it is free. What is in the system's cache is read by
/// the caller's own thread (`preadv2` with `RWF_NOWAIT`), for which the disk's threads wait else: a cold or distant disk takes
/// seconds, which the threads of the cooperative pool do not have.
package struct FileReader: ~Copyable {
    /// The number of bytes that the file had when it was opened. Nil where the system does not say, as for those of
    /// `/proc`, which have content but no size.
    package let length: Int?
    /// Which file it is, whatever its name.
    package let identity: FileIdentity
    /// How much was read or sent.
    package private(set) var offset = 0
    package var descriptor: Int32 { handle.descriptor }
    private let handle: FileHandle
    private let path: String
    private let calls: FileCalls
    /// Whether it belongs to this user, who may know what of it is cached.
    private let isOwned: Bool
    /// The threads for its disk.
    private let disk: DiskWorkers
    private var storage: ByteStorage?

    private static let pieceSize = 256 * 1024

    /// Throws ``SockeyeError/Code-swift.struct/bodyFailed``, also for what is not a regular file, or
    /// ``SockeyeError/Code-swift.struct/outOfResources``.
    package init(path: String, calls: FileCalls = .system) throws(SockeyeError) {
        self.init(try Self.open(path), path, calls)
    }

    private init(_ opened: (file: FileHandle, status: FileStatus), _ path: String, _ calls: FileCalls) {
        let (file, status) = opened
        handle = file
        self.path = path
        self.calls = calls
        var first: UInt8 = 0
        let isUnsized =
            unsafe status.size == 0
            && withUnsafeMutableBytes(of: &first) { unsafe SystemFile.read(file.descriptor, into: $0, at: 0) > 0 }
        length = isUnsized ? nil : Int(status.size)
        identity = status.identity
        isOwned = status.owner == SystemProcess.user
        disk = .of(calls.device ?? status.device)
    }

    /// Opens it by a thread for the disk, which may have to look for it.
    package static func opened(_ path: String, calls: FileCalls) async throws(SockeyeError) -> FileReader {
        let opened: Result<(FileHandle, FileStatus), SockeyeError>
        do throws(FileFailure) {
            opened = try await DiskWorkers.opening.run { () throws(FileError) in
                do throws(SockeyeError) { return .success(try open(path)) } catch { return .failure(error) }
            }
        } catch {
            throw Self.failure(error)
        }
        return FileReader(try opened.get(), path, calls)
    }

    private static func open(_ path: String) throws(SockeyeError) -> (FileHandle, FileStatus) {
        do throws(FileError) {
            let file = try FileHandle(opening: path, for: .reading)
            let status = try file.status(path)
            if status.isRegular { return (file, status) }
        } catch {
            throw failure(error)
        }
        throw failure("not a regular file: \(path)")
    }

    /// The next piece, of at most `limit` bytes; nil at the end of the file. Blocks the thread: for small files that are read
    /// before anything runs.
    package mutating func next(atMost limit: Int = .max) throws(SockeyeError) -> Bytes? {
        let block = takeBlock(limit)
        return try piece(of: block, unsafe calls.readUninterrupted(descriptor, room(in: block, limit), offset))
    }

    /// As ``next(atMost:)``, but the disk is waited for by its own threads.
    package mutating func read(atMost limit: Int = .max) async throws(SockeyeError) -> Bytes? {
        let block = takeBlock(limit)
        let room = unsafe room(in: block, limit)
        if let count = unsafe fillCached(room) { return try piece(of: block, count) }
        let piece = try await readFromDisk(room.count)
        offset += piece?.count ?? 0
        return piece
    }

    /// Exactly this many bytes, if they are there without waiting for the disk.
    mutating func cachedBytes(_ count: Int) throws(SockeyeError) -> Bytes? {
        var collected = BytesAccumulator(expected: count)
        while collected.count < count {
            let left = count - collected.count
            let block = takeBlock(left)
            guard let found = unsafe fillCached(room(in: block, left)) else { return nil }
            guard let piece = try piece(of: block, found) else { throw endedEarly(missing: left) }
            collected.append(piece)
        }
        return collected.finish()
    }

    /// How many of the bytes that come next, up to `limit`, are there without waiting for the disk; nil where that cannot be
    /// told. It looks here and there only.
    func cachedCount(atMost limit: Int) -> Int? {
        calls.cachedPrefix(descriptor, offset..<offset + limit, isOwned)
    }

    private mutating func takeBlock(_ limit: Int) -> ByteStorage {
        if let storage, isKnownUniquelyReferenced(&self.storage) { return storage }
        // Of the size that later pieces want, too: this one may be what was left of a packet.
        let block = ByteStorage.allocate(capacity: min(Self.pieceSize, max(1, limit, (length ?? 0) - offset)))
        storage = block
        return block
    }

    private func room(in block: ByteStorage, _ limit: Int) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: block.mutableBytes[..<min(limit, block.byteCapacity)])
    }

    /// Reads what is there without waiting for the disk; nil where that is nothing, or cannot be told.
    private func fillCached(_ room: UnsafeMutableRawBufferPointer) -> Int? {
        let count = unsafe calls.readCached(descriptor, room, offset)
        guard let error = SystemError(ofResult: count) else { return count }
        guard error != .wouldBlock, let cached = cachedCount(atMost: room.count), cached > 0 else { return nil }
        return unsafe calls.readUninterrupted(
            descriptor, UnsafeMutableRawBufferPointer(rebasing: room[..<cached]), offset)
    }

    private mutating func piece(of block: ByteStorage, _ count: Int) throws(SockeyeError) -> Bytes? {
        if let error = SystemError(ofResult: count) { throw Self.failure(FileError("read", path, error)) }
        guard count > 0 else { return nil }
        offset += count
        return Bytes(storage: block, offset: 0, count: count)
    }

    /// Into memory of its own, which an abandoned call may still write to.
    private func readFromDisk(_ count: Int) async throws(SockeyeError) -> Bytes? {
        let (handle, calls, path, offset) = (handle, calls, path, offset)
        do throws(FileFailure) {
            return try await disk.run { () throws(FileError) in
                let block = ByteStorage.allocate(capacity: count)
                let count = unsafe calls.readUninterrupted(handle.descriptor, block.mutableBytes, offset)
                if let error = SystemError(ofResult: count) { throw FileError("read", path, error) }
                return count > 0 ? Bytes(storage: block, offset: 0, count: count) : nil
            }
        } catch {
            throw Self.failure(error)
        }
    }

    /// Goes on behind bytes that went another way.
    package mutating func skip(_ count: Int) {
        offset += count
    }

    /// The error of a file from which `missing` bytes more were to come than there are.
    func endedEarly(missing: Int) -> SockeyeError {
        .bodyLengthMismatch("\(path) became shorter while it was sent", declared: offset + missing, seen: offset)
    }

    private static func failure(_ failure: FileFailure) -> SockeyeError {
        switch failure {
        case .cancelled: SockeyeError(TransportError.cancelled, phase: .send)
        case .system(let error): Self.failure(error)
        }
    }

    private static func failure(_ error: FileError) -> SockeyeError {
        failure(error.description, lacksResources: error.systemError.isOutOfResources)
    }

    private static func failure(_ message: String, lacksResources: Bool = false) -> SockeyeError {
        SockeyeError(
            .init(
                lacksResources ? .outOfResources : .bodyFailed, phase: .send,
                blame: lacksResources ? .network : .caller, message: message))
    }
}
