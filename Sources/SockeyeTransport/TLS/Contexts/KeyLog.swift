import Glibc

/// Appends the secrets of connections to a file in the `SSLKEYLOGFILE` format.
final class KeyLog: Sendable {
    private let descriptor: Int32

    init(path: String) throws(TLSFailure) {
        descriptor = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let reason = Exhaustion.isMeant(by: errno) ? TLSFailure.Reason.outOfResources : .badConfiguration
            let text = Exhaustion.text(errno)
            throw TLSFailure(reason: reason, message: "the key log file \(path) cannot be opened: \(text)")
        }
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
