import CSockeyeSystem
import Glibc
import SockeyeCore

/// Reads a regular file from start to end in pieces of 256 KiB, into one block that is reused when it is free.
///
/// The reads block the thread for as long as the disk takes; the page cache makes that microseconds in the common case.
struct FileReader: ~Copyable {
    let length: Int
    private let descriptor: Int32
    private let path: String
    private var offset = 0
    private var storage: ByteStorage?

    private static let pieceSize = 256 * 1024

    init(path: String) throws(SockeyeError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("cannot open", path, errno) }
        var status = stat()
        let examined = fstat(descriptor, &status) == 0
        guard examined, status.st_mode & S_IFMT == S_IFREG else {
            let failure =
                examined ? Self.failure("not a regular file:", path, nil) : Self.failure("cannot examine", path, errno)
            close(descriptor)
            throw failure
        }
        length = Int(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    /// The next piece; nil at the end of the file.
    mutating func next() throws(SockeyeError) -> Bytes? {
        if storage == nil || !isKnownUniquelyReferenced(&storage) {
            storage = .allocate(capacity: min(Self.pieceSize, max(1, length)))
        }
        guard let storage else { return nil }
        while true {
            let count = pread(descriptor, storage.baseAddress, storage.byteCapacity, off_t(offset))
            if count > 0 {
                offset += count
                return Bytes(storage: storage, offset: 0, count: count)
            }
            if count == 0 { return nil }
            if errno != EINTR { throw Self.failure("cannot read", path, errno) }
        }
    }

    private static func failure(_ what: String, _ path: String, _ code: Int32?) -> SockeyeError {
        let reason = code.map { ": " + String(cString: strerror($0)) } ?? ""
        return SockeyeError(.init(.bodyFailed, phase: .send, blame: .caller, message: "\(what) \(path)\(reason)"))
    }
}
