import COpenSSL
import Glibc
import SockeyeCore

/// Reads an X509 object that somebody else keeps alive.
struct CertificateView {
    let pointer: OpaquePointer

    var subject: String { Self.text(X509_get_subject_name(pointer)) }
    var issuer: String { Self.text(X509_get_issuer_name(pointer)) }
    var notBefore: String { Self.text(time: X509_get0_notBefore(pointer)) }
    var notAfter: String { Self.text(time: X509_get0_notAfter(pointer)) }

    /// Says which certificate is meant, in one clause.
    var summary: String {
        subject == issuer ? "'\(subject)' (self-issued)" : "'\(subject)' (issued by '\(issuer)')"
    }

    var der: Bytes {
        let count = i2d_X509(pointer, nil)
        guard count > 0 else { return Bytes() }
        return Bytes(count: Int(count)) { buffer in
            var next = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            i2d_X509(pointer, &next)
        }
    }

    /// `sha256/` and the Base64 of the SHA-256 of the SubjectPublicKeyInfo.
    var publicKeyPin: String? {
        guard let key = X509_get_X509_PUBKEY(pointer) else { return nil }
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509_PUBKEY(key, &encoded)
        guard count > 0, let encoded else { return nil }
        defer { CRYPTO_free(encoded, "", 0) }
        var digest = [UInt8](repeating: 0, count: 32)
        guard EVP_Digest(encoded, Int(count), &digest, nil, EVP_sha256(), nil) == 1 else { return nil }
        var base64 = [UInt8](repeating: 0, count: 45)
        EVP_EncodeBlock(&base64, digest, 32)
        return "sha256/" + String(decoding: base64.dropLast(), as: UTF8.self)
    }

    /// Whether the certificate names a place to fetch its issuer from, as those of public intermediates do.
    var namesIssuerLocation: Bool {
        guard let list = X509_get_ext_d2i(pointer, NID_info_access, nil, nil) else { return false }
        AUTHORITY_INFO_ACCESS_free(OpaquePointer(list))
        return true
    }

    private static func text(_ name: OpaquePointer?) -> String {
        guard let name, let bio = BIO_new(BIO_s_mem()) else { return "" }
        defer { BIO_free(bio) }
        X509_NAME_print_ex(bio, name, 0, sockeye_name_format)
        var bytes: UnsafeMutablePointer<CChar>?
        let count = sockeye_bio_memory(bio, &bytes)
        guard let bytes, count > 0 else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: bytes, count: min(count, 256)), as: UTF8.self)
    }

    private static func text(time: UnsafePointer<ASN1_TIME>?) -> String {
        var parts = tm()
        guard let time, ASN1_TIME_to_tm(time, &parts) == 1 else { return "an unreadable date" }
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return "\(day) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) UTC"
    }
}
