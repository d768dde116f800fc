import SockeyeEngine
import SockeyePlatform

/// A file whose content is believed, such as one of logins: nobody else may be able to write it.
///
/// The last component of its path must be no symbolic link, the file a regular one that belongs to the user of the process
/// or to root, and neither its group nor others may write it. This is looked at after it was opened, so that nothing else
/// can be put in its place.
struct TrustedFile {
    private let handle: FileHandle
    private let path: String

    /// - Throws: ``SockeyeError/Code-swift.struct/badConfiguration``, with what is wrong.
    init(path: String) throws(SockeyeError) {
        self.path = path
        let status: FileStatus
        do throws(FileError) {
            handle = try FileHandle(opening: path, for: .readingNoLink)
            status = try handle.status(path)
        } catch {
            throw Self.failure(error)
        }
        if let objection = Self.objection(to: status) { throw Self.failure("\(path) \(objection)") }
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
    static func objection(to status: FileStatus, user: UInt32 = SystemProcess.user) -> String? {
        if !status.isRegular { return "is not a regular file" }
        if status.owner != 0, status.owner != user {
            return "belongs to user \(status.owner), who is neither this process's nor root"
        }
        if status.isWritableByOthers {
            return "can be written by its group or by others: `chmod go-w` keeps it yours"
        }
        return nil
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
