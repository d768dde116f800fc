import Glibc

/// An open file, closed with the last reference.
final class FileHandle: Sendable {
    let descriptor: Int32

    init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// - Parameter path: What an error says.
    func status(_ path: String) throws(FileError) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw FileError("examine", path, errno) }
        return status
    }

    /// Keeps others from locking the file for as long as this is open.
    ///
    /// - Parameter path: What an error says.
    /// - Throws: With `EWOULDBLOCK` where somebody has locked it.
    func lock(_ path: String) throws(FileError) {
        // A file system without locks has none to respect.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw FileError("lock", path, EWOULDBLOCK)
        }
    }
}
