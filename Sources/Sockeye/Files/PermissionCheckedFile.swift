import SockeyeEngine
import SockeyePlatform

/// A file with content that the library trusts, such as passwords. It is rejected if other users can write to it
/// (compare StrictModes of sshd).
///
/// It must be a regular file that belongs to the user of the process or to root. Its group and others must not be able
/// to write to it, and the last component of its path must not be a symbolic link. The rules are checked on the open
/// descriptor, so that the file cannot be exchanged between the check and the reading.
package struct PermissionCheckedFile {
    private let handle: FileHandle
    private let path: String

    /// Opens and checks the file.
    ///
    /// - Parameter isPrivate: True for stricter rules: the file must belong to the user of the process (not to root),
    ///   have a link count of 1, and be inaccessible to group and others. Default false.
    /// - Throws: ``SockeyeError/Code-swift.struct/badConfiguration`` if the file cannot be opened or violates a rule;
    ///   ``SockeyeError/Code-swift.struct/outOfResources`` if the process lacks descriptors or memory.
    package init(path: String, isPrivate: Bool = false) throws(SockeyeError) {
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

    /// Reads the content, but stops soon after `limit` bytes. A result of more than `limit` bytes tells the caller that
    /// the file is too long.
    package func read(atMost limit: Int) throws(SockeyeError) -> [UInt8] {
        do {
            return try SystemFile.contents(of: handle.descriptor, upTo: limit)
        } catch {
            throw Self.failure(FileError("read", path, error))
        }
    }

    /// Returns the violated rule, as part of an error message; nil if there is no violation.
    static func objection(
        to status: FileStatus, user: UInt32 = SystemProcess.user, isPrivate: Bool = false
    ) -> String? {
        if isPrivate, let objection = privacyObjection(to: status, user) { return objection }
        if !status.isRegular { return "is not a regular file" }
        if status.owner != 0, status.owner != user {
            return "belongs to user \(status.owner), but must belong to the process's user or root"
        }
        if status.isWritableByOthers {
            return "is writable by its group or by others; run `chmod go-w` on it"
        }
        return nil
    }

    private static func privacyObjection(to status: FileStatus, _ user: UInt32) -> String? {
        if status.owner != user { return "belongs to user \(status.owner), not to the process's user" }
        if status.mode & 0o077 != 0 { return "is accessible to its group or to others; run `chmod go-rwx` on it" }
        return status.linkCount == 1 ? nil : "has more than one hard link"
    }

    private static func failure(_ error: FileError) -> SockeyeError {
        if error.systemError.isOutOfResources { return SockeyeError(error) }
        if error.systemError == .symbolicLink {
            return failure("\(error.path) is a symbolic link, which is not followed; pass the path of its target")
        }
        return failure(error.description).with { $0.underlying = error }
    }

    private static func failure(_ message: String) -> SockeyeError {
        SockeyeError(.init(.badConfiguration, phase: .prepare, blame: .caller, message: message))
    }
}
