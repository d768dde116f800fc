import SockeyePlatform

/// A key log: a file in the `SSLKEYLOGFILE` format, to which the secrets of connections are appended.
///
/// The file must be a regular file of this user that no other user can write to, and its path must not end in a
/// symbolic link. Otherwise another user could choose the file that receives the secrets, or change the log.
final class KeyLog: Sendable {
    private let descriptor: Int32

    init(path: String) throws(TLSError) {
        let descriptor: Int32
        do {
            descriptor = try SystemFile.open(path, for: .appending)
        } catch {
            let reason = error.isOutOfResources ? TLSError.Reason.outOfResources : .badConfiguration
            let text = error == .symbolicLink ? "it is a symbolic link" : error.text
            throw TLSError(reason: reason, message: "the key log file \(path) cannot be opened: \(text)")
        }
        if let objection = Self.objection(to: descriptor) {
            SystemFile.close(descriptor)
            throw TLSError(reason: .badConfiguration, message: "the key log file \(path) is not used: \(objection)")
        }
        // Assigned last: once every property is set, an initializer that throws runs `deinit`, which would close the
        // descriptor a second time.
        self.descriptor = descriptor
    }

    /// The reason not to write secrets to a file; nil if it is safe.
    private static func objection(to descriptor: Int32) -> String? {
        let status: FileStatus
        do {
            status = try SystemFile.status(of: descriptor)
        } catch {
            return error.text
        }
        if !status.isRegular { return "it is not a regular file" }
        if status.owner != SystemProcess.user { return "it belongs to another user" }
        if status.isWritableByOthers { return "it is writable by its group or by others; run `chmod go-w` on it" }
        return nil
    }

    deinit {
        SystemFile.close(descriptor)
    }

    /// Appends a line with one write, so that lines of several connections or processes do not mix.
    func append(_ line: UnsafePointer<CChar>) {
        SystemFile.append(Array(unsafe String(cString: line).utf8) + [UInt8(ascii: "\n")], to: descriptor)
    }
}
