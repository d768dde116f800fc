public import FoundationEssentials
public import SockeyeCore

/// A certificate that a peer has sent, or that leads from it to a trusted root.
///
/// Holds the DER form; everything else is read from it each time it is asked for. What a peer writes into its certificate
/// is text of its own: no property of a certificate that nobody has verified proves anything.
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

    /// Whose certificate it is, such as `CN=example.com,O=Example` (RFC 2253), with controls escaped; 256 bytes at most.
    public var subject: String { read(\.subject) ?? "" }
    /// Who signed it, likewise.
    public var issuer: String { read(\.issuer) ?? "" }
    /// The serial number in hexadecimal digits, by which the issuer revokes it.
    public var serialNumber: String { read(\.serialNumber) ?? "" }
    /// The dNSNames among the subject alternative names, as they stand there; what is not printable is a question mark.
    public var dnsNames: [String] { read { AlternativeNames($0).dnsTexts } ?? [] }
    /// The iPAddresses among the subject alternative names, as literals.
    public var ipAddresses: [String] { read { AlternativeNames($0).addressTexts } ?? [] }
    /// From when it is valid; nil of a date that cannot be read.
    public var validFrom: Date? { (read(\.validFrom) ?? nil).map { Date(timeIntervalSince1970: Double($0)) } }
    /// Until when it is valid; nil of a date that cannot be read.
    public var validUntil: Date? { (read(\.validUntil) ?? nil).map { Date(timeIntervalSince1970: Double($0)) } }
    /// Whether it may vouch for other certificates.
    public var isAuthority: Bool { read(\.isAuthority) ?? false }
    /// `sha256/` and the Base64 of the SHA-256 of its SubjectPublicKeyInfo, as a key is pinned.
    public var publicKeyPin: String { (read(\.publicKeyPin) ?? nil) ?? "" }
    /// `sha256/` and the Base64 of the SHA-256 of its DER form, as a certificate is pinned.
    public var fingerprint: String { read(\.fingerprint) ?? "" }

    /// Subject and issuer.
    public var description: String { read(\.summary) ?? "no certificate" }
}
