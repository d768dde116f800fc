/// The contents of a test certificate. The default is a valid server certificate for `localhost`, 127.0.0.1 and ::1.
public struct TestCertificateOptions: Sendable {
    /// The values of the extended key usage extension.
    @nonexhaustive public enum Purpose: Sendable, Hashable {
        /// Server authentication only.
        case server
        /// Client authentication only.
        case client
        /// Signing OCSP responses on behalf of the certificate's issuer.
        case ocspSigning
        /// Code signing only, which neither side of a TLS connection may accept.
        case other
        /// No extended key usage extension, which allows every use.
        case unrestricted
    }

    /// The digest of the signature.
    @nonexhaustive public enum Digest: Sendable, Hashable {
        /// SHA-256, accepted by every client. The default.
        case sha256
        /// SHA-1, refused by current clients as too weak.
        case sha1
    }

    /// The subject's common name. Clients must not read a host from it.
    public var commonName = "localhost"
    /// The dNSNames among the subject alternative names. They are written as given, even if malformed.
    public var dnsNames: [String] = ["localhost"]
    /// The iPAddresses among the subject alternative names, as IP address literals.
    public var ipAddresses: [String] = ["127.0.0.1", "::1"]
    /// The start of the validity, relative to now, up to 100 years away. Default: an hour ago.
    public var validFrom: Duration = .seconds(-3600)
    /// The end of the validity, relative to now, up to 100 years away; negative for an expired certificate. Default:
    /// one day from now.
    public var validUntil: Duration = .seconds(86400)
    /// The allowed use of the certificate. Default: servers.
    public var purpose: Purpose = .server
    /// The kind of key to make. Ignored if ``key`` is set.
    public var algorithm: TestKey.Algorithm = .p256
    /// A key to use instead of a new one, for example to reissue a certificate.
    public var key: TestKey?
    /// The digest of the signature. Default: SHA-256.
    public var digest: Digest = .sha256
    /// The URL of the issuer's certificate, in the authority information access extension (RFC 5280 4.2.2.1). If nil, a
    /// certificate that an intermediate issues gets a default URL, and other certificates have no such extension.
    public var issuerLocation: String?
    /// True if the certificate demands a stapled OCSP response (RFC 7633). Default false.
    public var mustStaple = false
    /// True if the certificate of an authority, root or intermediate, says that it is an authority (`CA:TRUE`). If
    /// false, clients must refuse the certificates that the authority issues. Ignored for other certificates. Default
    /// true.
    public var isAuthority = true

    /// The default certificate.
    public init() {}

    /// Makes options for these names and addresses only.
    public init(dnsNames: [String], ipAddresses: [String] = []) {
        self.dnsNames = dnsNames
        self.ipAddresses = ipAddresses
        commonName = dnsNames.first ?? ipAddresses.first ?? "nobody"
    }

    func makeKey() throws(TestCertificateError) -> TestKey {
        if let key { return key }
        return try TestKey(algorithm)
    }
}
