/// What a test certificate should say. The default is a good server certificate for `localhost`, 127.0.0.1 and ::1.
public struct TestCertificateOptions: Sendable {
    /// What the extended key usage allows.
    @nonexhaustive public enum Purpose: Sendable, Hashable {
        /// Server authentication only.
        case server
        /// Client authentication only.
        case client
        /// Signing OCSP responses of its authority.
        case ocspSigning
        /// Code signing only: wrong for either side of a connection.
        case other
        /// No such extension, which allows everything.
        case unrestricted
    }

    /// The digest of the signature.
    @nonexhaustive public enum Digest: Sendable, Hashable {
        /// What everybody accepts. The default.
        case sha256
        /// What today's clients refuse as too weak.
        case sha1
    }

    /// The subject's common name. Clients must not read a host from it.
    public var commonName = "localhost"
    /// The dNSNames among the subject alternative names, written as they are given, malformed or not.
    public var dnsNames: [String] = ["localhost"]
    /// The iPAddresses among the subject alternative names, as literals.
    public var ipAddresses: [String] = ["127.0.0.1", "::1"]
    /// From when the certificate is valid, relative to now and within a century. Default: an hour ago.
    public var validFrom: Duration = .seconds(-3600)
    /// Until when it is valid, relative to now and within a century; in the past for an expired one. Default: in a day.
    public var validUntil: Duration = .seconds(86400)
    /// What it may be used for. Default: servers.
    public var purpose: Purpose = .server
    /// The kind of key to make. Not used when ``key`` is set.
    public var algorithm: TestKey.Algorithm = .p256
    /// A key to use instead of a new one, as when a certificate is reissued.
    public var key: TestKey?
    /// The digest of the signature. Default: SHA-256.
    public var digest: Digest = .sha256
    /// Where the issuer's certificate can be fetched, as public authorities tell (RFC 5280 4.2.2.1). By default only
    /// certificates of an intermediate have one.
    public var issuerLocation: String?
    /// Whether it says that servers have to staple an OCSP response (RFC 7633). Default false.
    public var mustStaple = false
    /// Whether an intermediate authority is marked as one. False makes one whose certificates must be refused.
    public var isAuthority = true

    /// The default certificate.
    public init() {}

    /// A certificate for these names and addresses only.
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
