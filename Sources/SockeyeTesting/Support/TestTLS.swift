public import SockeyeCore
public import SockeyeNet

/// The TLS settings of a test server.
///
/// ```swift
/// let authority = try TestCertificateAuthority()
/// let server = try await TestServer.start(tls: TestTLS(authority)) { _ in
///     .ok("secret")
/// }
/// let client = HTTPClient(
///     configuration: .init(tls: TLSOptions(roots: authority.roots)))
/// ```
public struct TestTLS: Sendable {
    /// The client certificates that the server requests.
    @nonexhaustive public enum ClientCertificates: Sendable {
        /// No client certificate. The default.
        case notRequested
        /// A certificate issued by this authority, or none.
        case optional(TestCertificateAuthority)
        /// A certificate issued by this authority.
        case required(TestCertificateAuthority)
    }

    /// The server's certificate chain and key.
    public var identity: TLSOptions.Identity
    /// The client certificates that the server requests. Default: none.
    public var clientCertificates = ClientCertificates.notRequested
    /// The oldest version to accept. Default: TLS 1.2.
    public var minimumVersion = TLSOptions.Version.v1_2
    /// The newest version to accept. Default: TLS 1.3.
    public var maximumVersion = TLSOptions.Version.v1_3
    /// The protocols to select by ALPN, most preferred first. Default: `http/1.1`.
    public var applicationProtocols = ["http/1.1"]
    /// True if sessions can be resumed. Default true.
    public var offersSessions = true
    /// True if the server may use weak certificates, such as SHA-1 ones, to test that clients refuse them. Default
    /// false.
    public var allowsWeakCertificates = false

    /// The OCSP response to staple for clients that request one; see
    /// ``TestCertificateAuthority/ocspResponse(for:_:validFrom:validUntil:signedBy:)``. Default nil.
    public var stapledResponse: Bytes?

    /// Uses a new certificate of this authority for localhost, 127.0.0.1 and ::1.
    ///
    /// - Throws: ``TestCertificateError``.
    public init(_ authority: TestCertificateAuthority) throws {
        self.init(identity: try authority.issue().identity)
    }

    /// Uses this certificate with its intermediates.
    public init(_ certificate: TestCertificate) {
        self.init(identity: certificate.identity)
    }

    /// Uses any identity.
    public init(identity: TLSOptions.Identity) {
        self.identity = identity
    }

    func makeContext() throws -> TLSServerContext {
        var configuration = TLSServerContext.Configuration(identity: identity)
        switch clientCertificates {
        case .notRequested: break
        case .optional(let authority):
            configuration.clientCertificates = .optional
            configuration.clientRoots = .text(authority.pem)
        case .required(let authority):
            configuration.clientCertificates = .required
            configuration.clientRoots = .text(authority.pem)
        }
        configuration.minimumVersion = minimumVersion
        configuration.maximumVersion = maximumVersion
        configuration.applicationProtocols = applicationProtocols
        configuration.offersSessions = offersSessions
        configuration.stapledResponse = stapledResponse
        if allowsWeakCertificates { configuration.securityLevel = 0 }
        do throws(TLSError) {
            return try TLSServerContext(configuration)
        } catch {
            throw TestServerError(.cannotStart, "TLS cannot be set up: \(error.message)")
        }
    }
}

/// The parameters that a server's TLS handshake agreed on with a client.
public struct TestTLSInfo: Sendable, Hashable {
    /// The TLS version.
    public let version: TLSOptions.Version
    /// The cipher's name in OpenSSL.
    public let cipher: String
    /// The protocol selected by ALPN; nil if the client offered none of the server's protocols.
    public let applicationProtocol: String?
    /// The host name that the client sent in SNI. Nil if it sent no SNI, for example because the URL has an IP address.
    public let serverName: String?
    /// True if the client resumed an earlier session.
    public let isResumed: Bool
    /// The client's certificates in DER form, its own first; empty if it sent no certificate.
    public let clientCertificates: [Bytes]

    init(_ info: TLSInfo) {
        version = info.version
        cipher = info.cipher
        applicationProtocol = info.applicationProtocol
        serverName = info.serverName
        isResumed = info.isResumed
        clientCertificates = info.peerCertificates
    }
}
