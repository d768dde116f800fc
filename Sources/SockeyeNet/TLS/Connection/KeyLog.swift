import Glibc

/// Appends the secrets of connections to a file in the `SSLKEYLOGFILE` format.
///
/// The file is a regular one, no link leads to it, and it is this user's alone to write: else somebody else could have the
/// secrets go where he reads them.
final class KeyLog: Sendable {
    private let descriptor: Int32

    init(path: String) throws(TLSFailure) {
        // Non-blocking, for a FIFO without a reader would keep the thread for ever.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let number = unsafe open(path, flags, 0o600)
        guard number >= 0 else {
            let code = errno
            let reason = Exhaustion.isMeant(by: code) ? TLSFailure.Reason.outOfResources : .badConfiguration
            let text = code == ELOOP ? "it is a symbolic link" : Exhaustion.text(code)
            throw TLSFailure(reason: reason, message: "the key log file \(path) cannot be opened: \(text)")
        }
        if let objection = Self.objection(to: number) {
            close(number)
            throw TLSFailure(reason: .badConfiguration, message: "the key log file \(path) is not used: \(objection)")
        }
        descriptor = number
    }

    /// Why secrets should not go to a file.
    private static func objection(to descriptor: Int32) -> String? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return unsafe String(cString: strerror(errno)) }
        if status.st_mode & S_IFMT != S_IFREG { return "it is no regular file" }
        if status.st_uid != geteuid() { return "it belongs to another user" }
        if status.st_mode & (S_IWGRP | S_IWOTH) != 0 { return "others can write to it" }
        return nil
    }

    deinit {
        close(descriptor)
    }

    /// One write per line, so that lines of several connections or processes do not mix.
    func append(_ line: UnsafePointer<CChar>) {
        let bytes = unsafe Array(UnsafeRawBufferPointer(start: line, count: strlen(line))) + [UInt8(ascii: "\n")]
        _ = unsafe write(descriptor, bytes, bytes.count)
    }
}
