import COpenSSL
public import SockeyeCore
public import SockeyeEssentials
import SockeyePlatform

/// A certificate that a peer has sent, or that is part of the chain from the peer's certificate to a trusted root.
///
/// It stores the DER form and decodes the other properties on each access. An attacker can choose all values of an
/// unverified certificate.
public struct TLSCertificate: Sendable, Hashable, CustomStringConvertible {
    /// The certificate in DER form.
    public let der: Bytes

    package init(der: Bytes) {
        self.der = der
    }

    private func read<Value>(_ body: (CertificateView) -> Value) -> Value? {
        CertificateView.read(der, body)
    }

    /// The certificate in PEM (RFC 7468).
    public var pem: String {
        let lines = Array(Data(der).base64EncodedString().utf8)
        let wrapped = stride(from: 0, to: lines.count, by: 64).map { start in
            String(decoding: lines[start..<min(start + 64, lines.count)], as: UTF8.self)
        }
        return (["-----BEGIN CERTIFICATE-----"] + wrapped + ["-----END CERTIFICATE-----", ""]).joined(separator: "\n")
    }

    /// The name of the certificate's owner, such as `CN=example.com,O=Example` (RFC 2253), with controls escaped.
    /// Truncated to at most 256 bytes of UTF-8.
    public var subject: String { read(\.subject) ?? "" }
    /// The name of the authority that signed the certificate, in the same form.
    public var issuer: String { read(\.issuer) ?? "" }
    /// The serial number in hexadecimal digits.
    public var serialNumber: String { read(\.serialNumber) ?? "" }
    /// The dNSNames among the subject alternative names, verbatim; unprintable bytes become question marks. Each name
    /// is truncated to at most 256 bytes.
    public var dnsNames: [String] { read { AlternativeNames($0).dnsTexts } ?? [] }
    /// The iPAddresses among the subject alternative names, as literals.
    public var ipAddresses: [String] { read { AlternativeNames($0).addressTexts } ?? [] }
    /// The start of the certificate's validity; nil if the date is unreadable.
    public var validFrom: Date? { (read(\.validFrom) ?? nil).map { Date(timeIntervalSince1970: Double($0)) } }
    /// The end of the certificate's validity; nil if the date is unreadable.
    public var validUntil: Date? { (read(\.validUntil) ?? nil).map { Date(timeIntervalSince1970: Double($0)) } }
    /// True if the certificate may issue other certificates.
    public var isAuthority: Bool { read(\.isAuthority) ?? false }
    /// The public key in the form of a pin: `sha256/` and, in Base64, the SHA-256 digest of the SubjectPublicKeyInfo.
    public var publicKeyPin: String { (read(\.publicKeyPin) ?? nil) ?? "" }
    /// The certificate in the form of a pin: `sha256/` and, in Base64, the SHA-256 digest of the DER form.
    public var fingerprint: String { read(\.fingerprint) ?? "" }

    /// Subject and issuer.
    public var description: String { read(\.summary) ?? "unreadable certificate" }
}

/// A view of an X509 object. The view does not retain the object, so the owner must keep the object alive.
@safe struct CertificateView {
    let pointer: OpaquePointer

    var subject: String { unsafe Self.text(X509_get_subject_name(pointer)) }
    var issuer: String { unsafe Self.text(X509_get_issuer_name(pointer)) }
    var notBefore: String { unsafe Self.text(time: X509_get0_notBefore(pointer)) }
    var notAfter: String { unsafe Self.text(time: X509_get0_notAfter(pointer)) }

    /// Identifies the certificate in error messages: subject and issuer.
    var summary: String {
        subject == issuer ? "'\(subject)' (self-issued)" : "'\(subject)' (issued by '\(issuer)')"
    }

    var der: Bytes {
        let count = unsafe i2d_X509(pointer, nil)
        guard count > 0 else { return Bytes() }
        return unsafe Bytes(count: Int(count)) { buffer in
            var next = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            unsafe i2d_X509(pointer, &next)
        }
    }

    /// The public key in the form of a pin: `sha256/` and, in Base64, the SHA-256 digest of the SubjectPublicKeyInfo.
    /// Nil if the key cannot be encoded.
    var publicKeyPin: String? {
        guard let key = unsafe X509_get_X509_PUBKEY(pointer) else { return nil }
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_X509_PUBKEY(key, &encoded)
        guard count > 0, let encoded = unsafe encoded else { return nil }
        defer { unsafe CRYPTO_free(encoded, "", 0) }
        var digest = [UInt8](repeating: 0, count: 32)
        guard unsafe EVP_Digest(encoded, Int(count), &digest, nil, EVP_sha256(), nil) == 1 else { return nil }
        return Self.pinText(digest)
    }

    var fingerprint: String {
        var digest = [UInt8](repeating: 0, count: 32)
        guard unsafe X509_digest(pointer, EVP_sha256(), &digest, nil) == 1 else { return "" }
        return Self.pinText(digest)
    }

    /// The serial number in hexadecimal digits, as `openssl x509 -serial` shows it.
    var serialNumber: String {
        guard let number = unsafe ASN1_INTEGER_to_BN(X509_get0_serialNumber(pointer), nil) else { return "" }
        defer { unsafe BN_free(number) }
        guard let text = unsafe BN_bn2hex(number) else { return "" }
        defer { unsafe CRYPTO_free(text, "", 0) }
        return unsafe String(cString: text)
    }

    var isAuthority: Bool { unsafe X509_check_ca(pointer) > 0 }

    /// The start and end of the certificate's validity in seconds since 1970; nil if unreadable.
    var validFrom: Int? { unsafe Self.seconds(X509_get0_notBefore(pointer)) }
    var validUntil: Int? { unsafe Self.seconds(X509_get0_notAfter(pointer)) }

    /// True if the certificate requires servers to staple an OCSP response (RFC 7633, feature 5).
    var mustStaple: Bool {
        guard let list = unsafe X509_get_ext_d2i(pointer, NID_tlsfeature, nil, nil) else { return false }
        let features = OpaquePointer(list)
        defer { unsafe TLS_FEATURE_free(features) }
        return unsafe (0..<OPENSSL_sk_num(features)).contains { index in
            guard let feature = unsafe OPENSSL_sk_value(features, index) else { return false }
            return unsafe ASN1_INTEGER_get(feature.assumingMemoryBound(to: ASN1_INTEGER.self))
                == Int(TLSEXT_TYPE_status_request)
        }
    }

    /// True if the certificate names a location from which to fetch the certificate of its issuer.
    var namesIssuerLocation: Bool {
        guard let list = unsafe X509_get_ext_d2i(pointer, NID_info_access, nil, nil) else { return false }
        let descriptions = OpaquePointer(list)
        defer { unsafe AUTHORITY_INFO_ACCESS_free(descriptions) }
        return unsafe (0..<OPENSSL_sk_num(descriptions)).contains { index in
            guard let description = unsafe OPENSSL_sk_value(descriptions, index) else { return false }
            return unsafe OBJ_obj2nid(description.assumingMemoryBound(to: ACCESS_DESCRIPTION.self).pointee.method)
                == NID_ad_ca_issuers
        }
    }

    /// Returns a SHA-256 digest in the form of a pin: `sha256/` and the digest in Base64.
    static func pinText(_ digest: [UInt8]) -> String {
        var base64 = [UInt8](repeating: 0, count: 45)
        unsafe EVP_EncodeBlock(&base64, digest, Int32(digest.count))
        return "sha256/" + String(decoding: base64.dropLast(), as: UTF8.self)
    }

    /// Calls `body` with the certificate in `der`; nil if `der` is not exactly one certificate.
    static func read<Result>(_ der: Bytes, _ body: (CertificateView) -> Result) -> Result? {
        sockeye_keep_until_exit()
        defer { OpenSSLErrors.clear() }
        return unsafe der.withUnsafeBytes { buffer in
            let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
            var next = unsafe start
            guard let certificate = unsafe d2i_X509(nil, &next, buffer.count) else { return nil }
            defer { unsafe X509_free(certificate) }
            guard let start = unsafe start, unsafe next == start + buffer.count else { return nil }
            return body(unsafe CertificateView(pointer: certificate))
        }
    }

    /// The maximum length of a subject or issuer in bytes.
    private static let nameLimit = 256

    private static func text(_ name: OpaquePointer?) -> String {
        guard let name = unsafe name, let bio = unsafe BIO_new(BIO_s_mem()) else { return "" }
        defer { unsafe BIO_free(bio) }
        unsafe X509_NAME_print_ex(bio, name, 0, sockeye_name_format)
        var bytes: UnsafeMutablePointer<CChar>?
        let count = unsafe sockeye_bio_memory(bio, &bytes)
        guard let bytes = unsafe bytes, count > 0 else { return "" }
        let start = unsafe UnsafeRawBufferPointer(start: bytes, count: min(count, nameLimit))
        // OpenSSL has escaped only C0 controls and DEL. `printable` also escapes other characters that control a
        // terminal or a viewer.
        var text = unsafe String(decoding: start, as: UTF8.self).printable
        // Two things can lengthen the text beyond the limit again. Escapes are longer than the escaped characters. If
        // the limit has cut a character, the U+FFFD in its place may be longer than the character's remaining bytes.
        while text.utf8.count > nameLimit { text.unicodeScalars.removeLast() }
        return text
    }

    /// Returns a time in seconds since 1970; nil if it is missing or unreadable.
    static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int? { unsafe calendar(time)?.unixTime }

    private static func text(time: UnsafePointer<ASN1_TIME>?) -> String {
        unsafe calendar(time)?.text ?? "an unreadable date"
    }

    private static func calendar(_ time: UnsafePointer<ASN1_TIME>?) -> CalendarTime? {
        var parts = sockeye_time_parts()
        guard let time = unsafe time, unsafe sockeye_read_time(time, &parts) == 1 else { return nil }
        return CalendarTime(
            year: parts.year, month: parts.month, day: parts.day, hour: parts.hour, minute: parts.minute,
            second: parts.second)
    }
}
