package import SockeyePlatform

/// The system's error for a file operation: the ``SockeyeError/underlying`` of errors about files.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The operation that failed, such as `open` or `rename`.
    public let operation: String
    /// The path of the file or folder; for a descriptor, a text such as `descriptor 1`.
    public let path: String
    /// The system's error number, such as `EACCES`, `EISDIR` or `ENOSPC`.
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
        // The system's texts for these errors would not help.
        case ("lock", .wouldBlock), ("download to", .busy): "another download is using it"
        case ("resume", .notPermitted): "it belongs to another user, or has more than one hard link"
        case ("resume", .invalidArgument): "it is not a temporary file of a download"
        default: systemError.text
        }
    }
}

/// The reason why a file operation failed.
package enum FileFailure: Error {
    case system(FileError)
    /// The task was cancelled before the operation finished.
    case cancelled
}
