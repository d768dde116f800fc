public import SockeyeHTTP

extension Proxy {
    /// How the challenges of an HTTP proxy (407, RFC 9110 11.7.1) are answered, whether it forwards a request or is asked for a
    /// tunnel.
    ///
    /// Of several challenges the strongest is answered: Digest (RFC 7616) with SHA-512-256, SHA-256, MD5, then Bearer, then
    /// Basic. What was answered is remembered with the ``Proxy``. Nothing of it goes to an origin, and nothing of an origin's to
    /// a proxy. A Proxy-Authorization field of the call's own goes before all of this.
    public struct Authentication: Sendable {
        enum Source: Sendable {
            case url
            case credential(Credential, isUnasked: Bool)
            case handler(@Sendable (CredentialRequest) async throws -> Credential?)
        }

        let source: Source

        /// With user and password of the proxy's URL, if it has some: sent unasked as Basic, as curl does, and as the answer to
        /// other challenges.
        public static let url = Authentication(source: .url)

        /// With a credential: a user with a password, or a token.
        ///
        /// - Parameters:
        ///   - credential: What is answered with.
        ///   - unasked: Whether it is sent with the first request, as Basic or Bearer. Default false: when the proxy asks.
        public static func credential(_ credential: Credential, unasked: Bool = false) -> Authentication {
            Authentication(source: .credential(credential, isUnasked: unasked))
        }

        /// With what a closure says for each challenge; nil leaves it unanswered.
        ///
        /// It is asked again when its credential is refused, up to eight times. What it throws fails the call with
        /// ``SockeyeError/Code-swift.struct/authenticationFailed``. It is waited for as long as the request
        /// has, and for a tunnel as long as ``Timeouts/connect``.
        public static func handler(
            _ handler: @escaping @Sendable (CredentialRequest) async throws -> Credential?
        ) -> Authentication {
            Authentication(source: .handler(handler))
        }

        func checkForSOCKS() throws(SockeyeError) {
            guard case .url = source else {
                throw .badProxy("a SOCKS proxy takes user and password from its URL only")
            }
        }
    }

    /// What a handler is asked: a credential for a proxy.
    public struct CredentialRequest: Sendable, CustomStringConvertible {
        /// The proxy's URL, such as `http://proxy.example.com:3128`, without credentials.
        public let proxy: String
        /// Its challenges in its order, those of unknown schemes included. Never empty.
        public let challenges: [Challenge]
        /// How many times credentials were refused before.
        public let previousFailures: Int

        /// For example `http://proxy.example.com:3128: Basic realm="office"`.
        public var description: String {
            "\(proxy): \(challenges.map(\.description).joined(separator: ", "))"
        }
    }
}
