package import SockeyeCore
import SockeyeNet
package import SockeyePlatform

/// A regular file that is read, or sent, from start to end.
///
/// The file is read in pieces of at most 256 KiB. The caller's thread reads the bytes that are in the system's cache
/// (`preadv2` with `RWF_NOWAIT`). Disk threads read the rest: a cold or remote disk may take seconds, and the threads
/// of the cooperative pool must not block for so long.
package struct FileReader: ~Copyable {
    /// The number of bytes that the file had when it was opened. Nil if the system does not know, as for files in
    /// `/proc`, which have content but no size.
    package let length: Int?
    /// The identity of the file, independent of its name.
    package let identity: FileIdentity
    /// The number of bytes read or sent.
    package private(set) var offset = 0
    package var descriptor: Int32 { handle.descriptor }
    private let handle: FileHandle
    private let path: String
    private let calls: FileCalls
    /// True if the process's user owns the file; only then may the process ask which parts are cached (mincore(2)).
    private let isOwned: Bool
    /// The threads for the file's disk.
    let disk: DiskThreadPool
    private var storage: ByteStorage?

    private static let pieceSize = 256 * 1024

    /// Opens a file. Throws ``SockeyeError/Code-swift.struct/outOfResources`` if the system lacks resources, and
    /// ``SockeyeError/Code-swift.struct/bodyFailed`` if the file is not a regular file or cannot be opened for another
    /// reason.
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

    /// Opens a file on a disk thread, because the look-up may have to wait for the disk.
    ///
    /// - Parameter disk: The threads for the disk that is expected to have the file, so that other disks do not delay
    ///   the look-up.
    package static func opened(
        _ path: String, calls: FileCalls, on disk: DiskThreadPool
    ) async throws(SockeyeError) -> FileReader {
        let opened: Result<(FileHandle, FileStatus), SockeyeError>
        do throws(FileFailure) {
            opened = try await disk.run { () throws(FileError) in
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

    /// Returns the next piece, of at most `limit` bytes; nil at the end of the file. Blocks the thread, so it is only
    /// for small files that are read before any task runs.
    package mutating func next(atMost limit: Int = .max) throws(SockeyeError) -> Bytes? {
        let block = takeBlock(limit)
        return try piece(of: block, unsafe calls.readUninterrupted(descriptor, room(in: block, limit), offset))
    }

    /// Like ``next(atMost:)``, but disk threads wait for the disk.
    package mutating func read(atMost limit: Int = .max) async throws(SockeyeError) -> Bytes? {
        let block = takeBlock(limit)
        let room = unsafe room(in: block, limit)
        if let count = unsafe fillCached(room) { return try piece(of: block, count) }
        let piece = try await readFromDisk(room.count)
        offset += piece?.count ?? 0
        return piece
    }

    /// Returns exactly this many bytes if they are available without waiting for the disk. If the result is nil, the
    /// reader may have advanced nevertheless. Throws if the file has fewer bytes.
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

    /// Returns how many of the next bytes, up to `limit`, are available without waiting for the disk; nil if unknown.
    /// An estimate: only one byte of each 128 KiB is checked.
    func cachedCount(atMost limit: Int) -> Int? {
        calls.cachedPrefix(descriptor, offset..<offset + limit, isOwned)
    }

    private mutating func takeBlock(_ limit: Int) -> ByteStorage {
        // If the length is known, the block has room for the rest of the file, up to `pieceSize`, even if `limit` is
        // small: the limits of later pieces can be larger, for example if a rate limiter permits only a few bytes now.
        let capacity = min(Self.pieceSize, max(1, limit, (length ?? 0) - offset))
        // The check comes first, because another variable with the block would be a second reference.
        if isKnownUniquelyReferenced(&storage), let block = storage, block.byteCapacity >= capacity { return block }
        let block = ByteStorage.allocate(capacity: capacity)
        storage = block
        return block
    }

    private func room(in block: ByteStorage, _ limit: Int) -> UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(rebasing: block.mutableBytes[..<min(limit, block.byteCapacity)])
    }

    /// Reads the bytes that are available without waiting for the disk. Returns their number or the negative error
    /// number; nil if no byte is known to be available.
    private func fillCached(_ room: UnsafeMutableRawBufferPointer) -> Int? {
        let count = unsafe calls.readCached(descriptor, room, offset)
        guard let error = SystemError(ofResult: count) else { return count }
        guard error != .wouldBlock, let cached = cachedCount(atMost: room.count), cached > 0 else { return nil }
        return unsafe calls.readUninterrupted(
            descriptor, UnsafeMutableRawBufferPointer(rebasing: room[..<cached]), offset)
    }

    /// Returns the piece that a read has put into `block`; nil at the end of the file. `count` is the number of bytes
    /// or the negative error number.
    private mutating func piece(of block: ByteStorage, _ count: Int) throws(SockeyeError) -> Bytes? {
        if let error = SystemError(ofResult: count) { throw Self.failure(FileError("read", path, error)) }
        guard count > 0 else { return nil }
        offset += count
        return Bytes(storage: block, offset: 0, count: count)
    }

    /// Reads into a new block each time. A block must not be reused after a cancellation, because the disk thread may
    /// still write to it.
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

    /// Advances past bytes that were sent without being read.
    package mutating func skip(_ count: Int) {
        offset += count
    }

    /// The error if the file ends `missing` bytes before its announced length.
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
        failure(error.description, lacksResources: error.systemError.isOutOfResources).with { $0.underlying = error }
    }

    private static func failure(_ message: String, lacksResources: Bool = false) -> SockeyeError {
        SockeyeError(
            .init(
                lacksResources ? .outOfResources : .bodyFailed, phase: .send,
                blame: lacksResources ? .network : .caller, message: message))
    }
}
