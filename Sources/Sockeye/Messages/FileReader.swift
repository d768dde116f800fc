import CSockeyeSystem
import Glibc
package import SockeyeCore
import SockeyeTransport

/// A regular file that is read, or sent, from start to end.
///
/// Reads are pieces of 256 KiB, into one block that is used again when it is free. They block the thread for as long as
/// the disk takes; the page cache makes that microseconds in the common case.
package struct FileReader: ~Copyable {
    /// The number of bytes that the file had when it was opened. Nil where the system does not say, as for those of
    /// `/proc`, which have content but no size.
    package let length: Int?
    /// Which file it is, whatever its name.
    let identity: FileIdentity
    /// How much was read or sent.
    package private(set) var offset = 0
    let descriptor: Int32
    private let path: String
    private var storage: ByteStorage?

    private static let pieceSize = 256 * 1024

    /// Throws ``SockeyeError/Code-swift.struct/bodyFailed``, also for what is not a regular file, or
    /// ``SockeyeError/Code-swift.struct/outOfResources``.
    package init(path: String) throws(SockeyeError) {
        self.path = path
        // A NUL would end the path early, and name another file.
        let isCut = path.utf8.contains(0)
        // A named pipe without a writer would keep `open` waiting; regular files do not know the flag.
        descriptor = unsafe isCut ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Self.failure("cannot open", path, isCut ? EINVAL : errno) }
        var status = stat()
        let examined = unsafe fstat(descriptor, &status) == 0
        guard examined, status.st_mode & S_IFMT == S_IFREG else {
            let failure =
                examined ? Self.failure("not a regular file:", path, nil) : Self.failure("cannot examine", path, errno)
            close(descriptor)
            throw failure
        }
        var first: UInt8 = 0
        let isUnsized = unsafe status.st_size == 0 && pread(descriptor, &first, 1, 0) > 0
        length = isUnsized ? nil : Int(status.st_size)
        identity = FileIdentity(status)
    }

    deinit {
        close(descriptor)
    }

    /// The next piece, of at most `limit` bytes; nil at the end of the file.
    package mutating func next(atMost limit: Int = .max) throws(SockeyeError) -> Bytes? {
        if storage == nil || !isKnownUniquelyReferenced(&storage) {
            // Of the size that later pieces want, too: this one may be what was left of a packet.
            storage = .allocate(capacity: min(Self.pieceSize, max(1, limit, (length ?? 0) - offset)))
        }
        guard let storage else { return nil }
        while true {
            let count = unsafe pread(descriptor, storage.baseAddress, min(limit, storage.byteCapacity), off_t(offset))
            if count > 0 {
                offset += count
                return Bytes(storage: storage, offset: 0, count: count)
            }
            if count == 0 { return nil }
            if errno != EINTR { throw Self.failure("cannot read", path, errno) }
        }
    }

    /// Exactly this many bytes at once.
    mutating func bytes(_ count: Int) throws(SockeyeError) -> Bytes {
        var collected = BytesAccumulator(expected: count)
        while collected.count < count {
            guard let piece = try next(atMost: count - collected.count) else {
                throw endedEarly(missing: count - collected.count)
            }
            collected.append(piece)
        }
        return collected.finish()
    }

    /// Goes on behind bytes that went another way.
    mutating func skip(_ count: Int) {
        offset += count
    }

    /// The error of a file from which `missing` bytes more were to come than there are.
    func endedEarly(missing: Int) -> SockeyeError {
        .bodyLengthMismatch("\(path) became shorter while it was sent", declared: offset + missing, seen: offset)
    }

    private static func failure(_ what: String, _ path: String, _ code: Int32?) -> SockeyeError {
        let reason = code.map { unsafe ": " + String(cString: strerror($0)) } ?? ""
        let lacks = code.map(Exhaustion.isMeant) ?? false
        return SockeyeError(
            .init(
                lacks ? .outOfResources : .bodyFailed, phase: .send, blame: lacks ? .network : .caller,
                message: "\(what) \(path)\(reason)"))
    }
}
