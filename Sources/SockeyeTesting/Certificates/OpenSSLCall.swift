import COpenSSL
import SockeyeCore

/// Helpers for OpenSSL calls that several files of this folder need.
enum OpenSSLCall {
    /// Returns the bytes that `write` puts into a memory BIO; nil if `write` returns false.
    static func memory(_ write: (OpaquePointer) -> Bool) -> Bytes? {
        sockeye_keep_until_exit()
        guard let bio = unsafe BIO_new(BIO_s_mem()) else { return nil }
        defer { unsafe BIO_free(bio) }
        guard unsafe write(bio) else { return nil }
        var bytes: UnsafeMutablePointer<CChar>?
        let count = unsafe sockeye_bio_memory(bio, &bytes)
        return unsafe Bytes(copying: UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// Makes an error from the last OpenSSL error of this thread, and clears all OpenSSL errors of the thread.
    static func failure(_ doing: String) -> TestCertificateError {
        let code = ERR_peek_last_error()
        ERR_clear_error()
        let text = unsafe ERR_reason_error_string(code).map { unsafe String(cString: $0) } ?? "unknown reason"
        return TestCertificateError("\(doing) failed: \(text)")
    }
}

/// An error thrown if a certificate, key, revocation list or OCSP response could not be made.
public struct TestCertificateError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A sentence that names the operation that failed, with OpenSSL's reason if it gave one. If an IP address is
    /// malformed, the sentence names the address instead.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
