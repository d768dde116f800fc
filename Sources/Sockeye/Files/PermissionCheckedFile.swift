import SockeyeEngine
import SockeyePlatform

/// A file that is read only if nobody else can write it, such as one of logins (compare StrictModes of sshd).
///
/// The last component of its path must be no symbolic link, the file a regular one that belongs to the user of the process
/// or to root, and neither its group nor others may write it. This is looked at after it was opened, so that nothing else
/// can be put in its place.
struct PermissionCheckedFile {
    private let handle: FileHandle
    private let path: String

    /// - Parameter isPrivate: Whether it must belong to the user of the process alone, who alone may read and write it, and
    ///   have one name.
    /// - Throws: ``SockeyeError/Code-swift.struct/badConfiguration``, with what is wrong.
    init(path: String, isPrivate: Bool = false) throws(SockeyeError) {
        self.path = path
        let status: FileStatus
        do throws(FileError) {
            handle = try FileHandle(opening: path, for: .readingNoLink)
            status = try handle.status(path)
        } catch {
            throw Self.failure(error)
        }
        let objection = Self.objection(to: status, isPrivate: isPrivate)
        if let objection { throw Self.failure("\(path) \(objection)") }
    }

    /// The content, or the first bytes beyond `limit` of it.
    func read(atMost limit: Int) throws(SockeyeError) -> [UInt8] {
        do {
            return try SystemFile.contents(of: handle.descriptor, upTo: limit)
        } catch {
            throw Self.failure(FileError("read", path, error))
        }
    }

    /// Why what is in a file with this status is not to be believed; nil if nothing is wrong.
    static func objection(
        to status: FileStatus, user: UInt32 = SystemProcess.user, isPrivate: Bool = false
    ) -> String? {
        if isPrivate, let objection = privacyObjection(to: status, user) { return objection }
        if !status.isRegular { return "is not a regular file" }
        if status.owner != 0, status.owner != user {
            return "belongs to user \(status.owner), who is neither this process's nor root"
        }
        if status.isWritableByOthers {
            return "can be written by its group or by others: `chmod go-w` keeps it yours"
        }
        return nil
    }

    private static func privacyObjection(to status: FileStatus, _ user: UInt32) -> String? {
        if status.owner != user { return "belongs to user \(status.owner), and not to this process's" }
        if status.mode & 0o077 != 0 { return "can be read or written by its group or by others" }
        return status.linkCount == 1 ? nil : "has a second name"
    }

    private static func failure(_ error: FileError) -> SockeyeError {
        if error.systemError == .symbolicLink {
            return failure("\(error.path) is a symbolic link, which is not followed: name the file that it leads to")
        }
        return failure(error.description).with { $0.underlying = error }
    }

    private static func failure(_ message: String) -> SockeyeError {
        SockeyeError(.init(.badConfiguration, phase: .prepare, blame: .caller, message: message))
    }
}
