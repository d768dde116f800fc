import COpenSSL
import SockeyeCore
public import SockeyeNet

/// A certificate authority for tests. It makes roots, intermediates and end-entity certificates, valid and invalid, at
/// run time.
///
/// ```swift
/// let authority = try TestCertificateAuthority()
/// // localhost, 127.0.0.1, ::1
/// let certificate = try authority.issue()
/// var expired = TestCertificateOptions()
/// expired.validUntil = .seconds(-60)
/// let old = try authority.issue(expired)
/// // trusts this authority only
/// let tls = TLSOptions(roots: authority.roots)
/// ```
///
/// Keys are on P-256 by default, so making a certificate takes about a millisecond.
public struct TestCertificateAuthority: Sendable {
    /// The authority's own certificate and key.
    public let certificate: TestCertificate
    private let isRoot: Bool

    /// Makes a root: a self-signed certificate that may sign others.
    ///
    /// - Parameters:
    ///   - commonName: The name of the authority.
    ///   - options: Only the key, validity, digest and ``TestCertificateOptions/isAuthority`` are used.
    public init(
        commonName: String = "Sockeye test root", options: TestCertificateOptions = TestCertificateOptions()
    ) throws(TestCertificateError) {
        certificate = try Self.make(
            options, commonName: commonName, key: options.makeKey(), issuer: nil,
            asAuthority: true)
        isRoot = true
    }

    private init(certificate: TestCertificate) {
        self.certificate = certificate
        isRoot = false
    }

    /// The authority's certificate in PEM, for a client to trust.
    public var pem: String { certificate.pem }

    /// Trust settings with this authority as the only root.
    public var roots: TLSOptions.Roots { .pem(certificate.pem) }

    /// Makes an intermediate authority, whose certificate this authority signs.
    ///
    /// - Parameters:
    ///   - commonName: The name of the authority.
    ///   - options: Only the key, validity, digest and ``TestCertificateOptions/isAuthority`` are used.
    public func intermediate(
        commonName: String = "Sockeye test intermediate", options: TestCertificateOptions = TestCertificateOptions()
    ) throws(TestCertificateError) -> TestCertificateAuthority {
        TestCertificateAuthority(
            certificate: try Self.make(
                options, commonName: commonName, key: options.makeKey(), issuer: self,
                asAuthority: true))
    }

    /// Makes a certificate signed by this authority.
    public func issue(
        _ options: TestCertificateOptions = TestCertificateOptions()
    ) throws(TestCertificateError) -> TestCertificate {
        var options = options
        if options.issuerLocation == nil, !isRoot { options.issuerLocation = "http://127.0.0.1/issuer.cer" }
        return try Self.make(
            options, commonName: options.commonName, key: options.makeKey(), issuer: self,
            asAuthority: false)
    }

    /// Makes a certificate that is signed by its own key only.
    public static func selfSigned(
        _ options: TestCertificateOptions = TestCertificateOptions()
    ) throws(TestCertificateError) -> TestCertificate {
        try make(
            options, commonName: options.commonName, key: options.makeKey(), issuer: nil,
            asAuthority: false)
    }

    private static func make(
        _ options: TestCertificateOptions, commonName: String, key: TestKey, issuer: TestCertificateAuthority?,
        asAuthority: Bool
    ) throws(TestCertificateError) -> TestCertificate {
        let der = try unsafe key.withKey { publicKey throws(TestCertificateError) in
            guard let issuer else {
                return try unsafe sign(
                    options, commonName, publicKey, issuer: nil, issuerKey: publicKey, asAuthority: asAuthority)
            }
            return try unsafe issuer.certificate.key.withKey { issuerKey throws(TestCertificateError) in
                let signed = try unsafe TestCertificate.withCertificate(issuer.certificate.der) { pointer in
                    Result { () throws(TestCertificateError) in
                        try unsafe sign(
                            options, commonName, publicKey, issuer: pointer, issuerKey: issuerKey,
                            asAuthority: asAuthority)
                    }
                }
                return try signed.get()
            }
        }
        var intermediates: [Bytes] = []
        if let issuer, !issuer.isRoot {
            intermediates = [issuer.certificate.der] + issuer.certificate.intermediates
        }
        return TestCertificate(der: der, key: key, intermediates: intermediates)
    }

    private static func sign(
        _ options: TestCertificateOptions, _ commonName: String, _ publicKey: OpaquePointer, issuer: OpaquePointer?,
        issuerKey: OpaquePointer, asAuthority: Bool
    ) throws(TestCertificateError) -> Bytes {
        let builder = try unsafe CertificateBuilder(subject: commonName, publicKey: publicKey)
        builder.setValidity(from: options.validFrom, until: options.validUntil)
        try unsafe builder.setIssuer(issuer)
        if asAuthority {
            let isMarked = options.isAuthority
            try unsafe builder.add(NID_basic_constraints, isMarked ? "critical,CA:TRUE" : "critical,CA:FALSE")
            try unsafe builder.add(
                NID_key_usage, isMarked ? "critical,keyCertSign,cRLSign" : "critical,digitalSignature")
        } else {
            try addLeafExtensions(options, to: builder)
        }
        return try unsafe builder.sign(with: issuerKey, digest: options.digest)
    }

    private static func addLeafExtensions(
        _ options: TestCertificateOptions, to builder: CertificateBuilder
    ) throws(TestCertificateError) {
        try unsafe builder.add(NID_basic_constraints, "critical,CA:FALSE")
        switch options.purpose {
        case .server: try unsafe builder.add(NID_ext_key_usage, "serverAuth")
        case .client: try unsafe builder.add(NID_ext_key_usage, "clientAuth")
        case .ocspSigning: try unsafe builder.add(NID_ext_key_usage, "OCSPSigning")
        case .other: try unsafe builder.add(NID_ext_key_usage, "codeSigning")
        case .unrestricted: break
        }
        if options.mustStaple { try unsafe builder.add(NID_tlsfeature, "status_request") }
        if let location = options.issuerLocation {
            try unsafe builder.add(NID_info_access, "caIssuers;URI:\(location)")
        }
        try builder.addAlternativeNames(dns: options.dnsNames, addresses: options.ipAddresses)
    }
}
