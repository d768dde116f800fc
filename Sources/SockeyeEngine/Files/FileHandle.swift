package import Glibc
import Synchronization

/// An open file, closed with the last reference.
package final class FileHandle: Sendable {
    package let descriptor: Int32
    /// Set when whoever used the file has left it, and only a thread that works on it may still have it open.
    private let leftPath = Mutex<String?>(nil)

    package init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
        if let path = leftPath.withLock(\.self) { LeavingFiles.end(path) }
    }

    /// Notes that the file, and its lock, will be free as soon as the last call is done; see ``LeavingFiles``.
    package func leave(_ path: String) {
        leftPath.withLock { left in
            guard left == nil else { return }
            left = path
            LeavingFiles.begin(path)
        }
    }

    /// - Parameter path: What an error says.
    package func status(_ path: String) throws(FileError) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw FileError("examine", path, errno) }
        return status
    }

    /// Keeps others from locking the file for as long as this is open.
    ///
    /// - Parameter path: What an error says.
    /// - Throws: With `EWOULDBLOCK` where somebody has locked it.
    package func lock(_ path: String) throws(FileError) {
        // A file system without locks has none to respect.
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw FileError("lock", path, EWOULDBLOCK)
        }
    }
}
