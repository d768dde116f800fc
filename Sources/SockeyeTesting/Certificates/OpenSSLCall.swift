import COpenSSL
import SockeyeCore

/// The few patterns in which the certificate kit calls OpenSSL.
enum OpenSSLCall {
    /// What `write` puts into a memory BIO; nil when it says that it failed.
    static func memory(_ write: (OpaquePointer) -> Bool) -> Bytes? {
        guard let bio = unsafe BIO_new(BIO_s_mem()) else { return nil }
        defer { unsafe BIO_free(bio) }
        guard unsafe write(bio) else { return nil }
        var bytes: UnsafeMutablePointer<CChar>?
        let count = unsafe sockeye_bio_memory(bio, &bytes)
        return unsafe Bytes(copying: UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// The last error of OpenSSL on this thread, which is cleared.
    static func failure(_ doing: String) -> TestCertificateError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        let text = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) } ?? "unknown reason"
        return TestCertificateError("\(doing) failed: \(text)")
    }
}

/// OpenSSL could not make what was asked of a ``TestCertificateAuthority``.
public struct TestCertificateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What failed, in OpenSSL's words where it has any.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
