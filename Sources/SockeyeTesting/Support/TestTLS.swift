public import SockeyeCore
public import SockeyeNet

/// How a test server speaks TLS.
///
/// ```swift
/// let authority = try TestCertificateAuthority()
/// let server = try await TestServer.start(tls: TestTLS(authority)) { _ in .ok("secret") }
/// let client = HTTPClient(configuration: .init(tls: TLSOptions(roots: authority.roots)))
/// ```
public struct TestTLS: Sendable {
    /// What the server asks of its clients.
    @nonexhaustive public enum ClientCertificates: Sendable {
        /// No certificate. The default.
        case notRequested
        /// A certificate of this authority, or none.
        case optional(TestCertificateAuthority)
        /// A certificate of this authority.
        case required(TestCertificateAuthority)
    }

    /// The server's certificate chain and key.
    public var identity: TLSOptions.Identity
    /// What the server asks of its clients. Default: nothing.
    public var clientCertificates = ClientCertificates.notRequested
    /// The oldest version to accept. Default: TLS 1.2.
    public var minimumVersion = TLSOptions.Version.v1_2
    /// The newest version to accept. Default: TLS 1.3.
    public var maximumVersion = TLSOptions.Version.v1_3
    /// The protocols to choose from by ALPN, best first. Default: `http/1.1`.
    public var applicationProtocols = ["http/1.1"]
    /// Whether sessions can be resumed. Default true.
    public var offersSessions = true
    /// Whether weak certificates, such as SHA-1 ones, can be served, for testing that they are refused. Default false.
    public var allowsWeakCertificates = false

    /// The OCSP response to staple for clients that ask for one; ``TestCertificateAuthority/ocspResponse(for:_:validFrom:validUntil:signedBy:)``. Default nil.
    public var stapledResponse: Bytes?

    /// Serves a new certificate of this authority for localhost, 127.0.0.1 and ::1.
    ///
    /// - Throws: ``TestCertificateError``.
    public init(_ authority: TestCertificateAuthority) throws {
        self.init(identity: try authority.issue().identity)
    }

    /// Serves this certificate with its intermediates.
    public init(_ certificate: TestCertificate) {
        self.init(identity: certificate.identity)
    }

    /// Serves any identity.
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

/// What a server's TLS handshake has agreed on with a client.
public struct TestTLSInfo: Sendable, Hashable {
    /// The version of TLS.
    public let version: TLSOptions.Version
    /// OpenSSL's name of the cipher.
    public let cipher: String
    /// The protocol chosen by ALPN; nil when the client offered none of the server's.
    public let applicationProtocol: String?
    /// The name that the client asked for by SNI; nil when it sent none, as it must not for an IP address.
    public let serverName: String?
    /// Whether the client resumed an earlier session.
    public let isResumed: Bool
    /// The client's certificates in DER form, its own first; empty without one.
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
