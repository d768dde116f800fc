package import SockeyePlatform

/// What the system said about a file: the ``SockeyeError/underlying`` of errors about files.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was tried, such as `open` or `rename`.
    public let operation: String
    /// The file or folder.
    public let path: String
    /// The value of `errno`, such as `EACCES`, `EISDIR` or `ENOSPC`.
    public let code: Int32

    package init(_ operation: String, _ path: String, _ error: SystemError) {
        self.operation = operation
        self.path = path
        code = error.code
    }

    package var systemError: SystemError { SystemError(code) }

    /// For example `cannot open /data/x: Permission denied`.
    public var description: String { "cannot \(operation) \(path): \(reason)" }

    private var reason: String {
        switch (operation, systemError) {
        // What the system says of these is of no help.
        case ("lock", .wouldBlock), ("download to", .busy): "another download is using it"
        case ("resume", .notPermitted): "it belongs to another user, or has a second name"
        case ("resume", .invalidArgument): "no download left it there"
        default: systemError.text
        }
    }
}

/// Why nothing came of work with a file.
package enum FileFailure: Error {
    /// What the system said.
    case system(FileError)
    /// The task was cancelled meanwhile.
    case cancelled
}
