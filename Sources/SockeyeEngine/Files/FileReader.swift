import CSockeyeSystem
import Glibc
package import SockeyeCore
import SockeyeNet
import SockeyePlatform

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
    private let disk: DiskThreadPool
    private var storage: ByteStorage?

    private static let pieceSize = 256 * 1024

    /// Throws ``SockeyeError/Code-swift.struct/bodyFailed``, also for what is not a regular file, or
    /// ``SockeyeError/Code-swift.struct/outOfResources``.
    package init(path: String, calls: FileCalls = .system) throws(SockeyeError) {
        self.init(try Self.open(path), path, calls)
    }

    private init(_ opened: (file: FileHandle, status: stat), _ path: String, _ calls: FileCalls) {
        let (file, status) = opened
        handle = file
        self.path = path
        self.calls = calls
        var first: UInt8 = 0
        let isUnsized = unsafe status.st_size == 0 && pread(file.descriptor, &first, 1, 0) > 0
        length = isUnsized ? nil : Int(status.st_size)
        identity = FileIdentity(status)
        isOwned = status.st_uid == geteuid()
        disk = .of(calls.device ?? UInt64(status.st_dev))
    }

    /// Opens it by a thread for the disk, which may have to look for it.
    package static func opened(_ path: String, calls: FileCalls) async throws(SockeyeError) -> FileReader {
        let opened: Result<(FileHandle, stat), SockeyeError>
        do throws(FileFailure) {
            opened = try await DiskThreadPool.opening.run { () throws(FileError) in
                do throws(SockeyeError) { return .success(try open(path)) } catch { return .failure(error) }
            }
        } catch {
            throw Self.failure(error, path)
        }
        return FileReader(try opened.get(), path, calls)
    }

    private static func open(_ path: String) throws(SockeyeError) -> (FileHandle, stat) {
        // A NUL would end the path early, and name another file.
        let isCut = path.utf8.contains(0)
        // A named pipe without a writer would keep `open` waiting; regular files do not know the flag.
        let descriptor = unsafe isCut ? -1 : Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw failure("cannot open", path, isCut ? EINVAL : errno) }
        let file = FileHandle(owning: descriptor)
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure("cannot examine", path, errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure("not a regular file:", path, nil) }
        return (file, status)
    }

    /// The next piece, of at most `limit` bytes; nil at the end of the file. Blocks the thread: for small files that are read
    /// before anything runs.
    package mutating func next(atMost limit: Int = .max) throws(SockeyeError) -> Bytes? {
        let block = takeBlock(limit)
        return try piece(of: block, unsafe fill(room(in: block, limit)))
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

    /// Reads, and waits for the disk if it has to.
    private func fill(_ room: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = unsafe calls.read(descriptor, room, offset)
            if count != -Int(EINTR) { return count }
        }
    }

    /// Reads what is there without waiting for the disk; nil where that is nothing, or cannot be told.
    private func fillCached(_ room: UnsafeMutableRawBufferPointer) -> Int? {
        let count = unsafe calls.readCached(descriptor, room, offset)
        if count >= 0 { return count }
        guard count != -Int(EAGAIN), let cached = cachedCount(atMost: room.count), cached > 0 else { return nil }
        return unsafe fill(UnsafeMutableRawBufferPointer(rebasing: room[..<cached]))
    }

    private mutating func piece(of block: ByteStorage, _ count: Int) throws(SockeyeError) -> Bytes? {
        guard count >= 0 else { throw Self.failure("cannot read", path, Int32(clamping: -count)) }
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
                while true {
                    let count = unsafe calls.read(handle.descriptor, block.mutableBytes, offset)
                    if count >= 0 { return count > 0 ? Bytes(storage: block, offset: 0, count: count) : nil }
                    if count != -Int(EINTR) { throw FileError("read", path, Int32(clamping: -count)) }
                }
            }
        } catch {
            throw Self.failure(error, path)
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

    private static func failure(_ failure: FileFailure, _ path: String) -> SockeyeError {
        switch failure {
        case .cancelled: SockeyeError(TransportError.cancelled, phase: .send)
        case .system(let fault): Self.failure("cannot read", path, fault.code)
        }
    }

    private static func failure(_ what: String, _ path: String, _ code: Int32?) -> SockeyeError {
        let reason = code.map { unsafe ": " + String(cString: strerror($0)) } ?? ""
        let lacks = code.map { SystemError($0).isOutOfResources } ?? false
        return SockeyeError(
            .init(
                lacks ? .outOfResources : .bodyFailed, phase: .send, blame: lacks ? .network : .caller,
                message: "\(what) \(path)\(reason)"))
    }
}
