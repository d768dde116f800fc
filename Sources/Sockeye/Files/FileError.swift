import Glibc

/// What the system said about a file: the ``SockeyeError/underlying`` of errors about files.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was tried, such as `open` or `rename`.
    public let operation: String
    /// The file or folder.
    public let path: String
    /// The value of `errno`, such as `EACCES`, `EISDIR` or `ENOSPC`.
    public let code: Int32

    package init(_ operation: String, _ path: String, _ code: Int32) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    /// For example `cannot open /data/x: Permission denied`.
    public var description: String { unsafe "cannot \(operation) \(path): \(String(cString: strerror(code)))" }
}
