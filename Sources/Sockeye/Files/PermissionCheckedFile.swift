import Glibc
import SockeyeEngine

/// A file that is read only if nobody else can write it, such as one of logins (compare StrictModes of sshd).
///
/// The last component of its path must be no symbolic link, the file a regular one that belongs to the user of the process
/// or to root, and neither its group nor others may write it. This is looked at after it was opened, so that nothing else
/// can be put in its place.
struct PermissionCheckedFile {
    private let handle: FileHandle
    private let path: String

    /// - Throws: ``SockeyeError/Code-swift.struct/badConfiguration``, with what is wrong.
    init(path: String) throws(SockeyeError) {
        self.path = path
        // A NUL would end the path early, and name another file.
        let isCut = path.utf8.contains(0)
        // A named pipe without a writer would keep `open` waiting; regular files do not know the flag.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW
        let descriptor = unsafe isCut ? -1 : open(path, flags)
        guard descriptor >= 0 else { throw Self.failure(opening: path, isCut ? EINVAL : errno) }
        handle = FileHandle(owning: descriptor)
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure(FileError("examine", path, errno)) }
        if let objection = Self.objection(to: status) { throw Self.failure("\(path) \(objection)") }
    }

    /// The content, or the first bytes beyond `limit` of it.
    func read(atMost limit: Int) throws(SockeyeError) -> [UInt8] {
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while content.count <= limit {
            let count = unsafe piece.withUnsafeMutableBytes {
                unsafe Glibc.read(handle.descriptor, $0.baseAddress, $0.count)
            }
            if count == 0 { break }
            if count > 0 {
                content += piece[..<count]
            } else if errno != EINTR {
                throw Self.failure(FileError("read", path, errno))
            }
        }
        return content
    }

    /// Why what is in a file with this status is not to be believed; nil if nothing is wrong.
    static func objection(to status: stat, user: uid_t = geteuid()) -> String? {
        if status.st_mode & S_IFMT != S_IFREG { return "is not a regular file" }
        if status.st_uid != 0, status.st_uid != user {
            return "belongs to user \(status.st_uid), who is neither this process's nor root"
        }
        if status.st_mode & (S_IWGRP | S_IWOTH) != 0 {
            return "can be written by its group or by others: `chmod go-w` keeps it yours"
        }
        return nil
    }

    private static func failure(opening path: String, _ code: Int32) -> SockeyeError {
        guard code == ELOOP else { return failure(FileError("open", path, code)) }
        return failure("\(path) is a symbolic link, which is not followed: name the file that it leads to")
    }

    private static func failure(_ error: FileError) -> SockeyeError {
        failure(error.description).with { $0.underlying = error }
    }

    private static func failure(_ message: String) -> SockeyeError {
        SockeyeError(.init(.badConfiguration, phase: .prepare, blame: .caller, message: message))
    }
}
