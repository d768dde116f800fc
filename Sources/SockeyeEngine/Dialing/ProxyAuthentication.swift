public import SockeyeHTTP

extension Proxy {
    /// The answer to the challenges of an HTTP proxy (407, RFC 9110 11.7.1), both for forwarded requests and for
    /// tunnels.
    ///
    /// If the proxy sends several challenges, the client answers the strongest one that fits the credential. From
    /// strongest to weakest, these are Digest (RFC 7616) with SHA-512-256, SHA-256 or MD5, then Bearer, then Basic. The
    /// ``Proxy`` remembers the answers, so that later requests can carry credentials from the start. Credentials for a
    /// proxy are never sent to an origin, and credentials for an origin are never sent to a proxy. A
    /// Proxy-Authorization field that the caller sets takes precedence.
    public struct Authentication: Sendable {
        enum Source: Sendable {
            case url
            case credential(Credential, isUnasked: Bool)
            case handler(@Sendable (CredentialRequest) async throws -> Credential?)
        }

        let source: Source

        /// Uses the user and password of the proxy's URL, if it has any.
        ///
        /// Like curl, the client sends them as Basic before the proxy asks for credentials. If the proxy then asks for
        /// Digest, the client uses them to answer that challenge.
        public static let url = Authentication(source: .url)

        /// Uses a credential: a user with a password, or a token.
        ///
        /// - Parameters:
        ///   - credential: The credential to answer with.
        ///   - unasked: True to send it with the first request, as Basic or Bearer. Default false: the client sends it
        ///     only after the proxy has asked for credentials.
        public static func credential(_ credential: Credential, unasked: Bool = false) -> Authentication {
            Authentication(source: .credential(credential, isUnasked: unasked))
        }

        /// Uses the credential that a closure returns for each challenge; nil leaves the challenge unanswered.
        ///
        /// If the proxy refuses the credential, the closure is called again, up to eight times in all for one request
        /// or tunnel. An error of the closure fails the call with
        /// ``SockeyeError/Code-swift.struct/authenticationFailed``. The closure may take as long as the deadlines of
        /// the request allow, and for a tunnel as long as ``Timeouts/connect``.
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

    /// A request for a credential that answers a proxy's challenges; see ``Proxy/Authentication/handler(_:)``.
    public struct CredentialRequest: Sendable, CustomStringConvertible {
        /// The proxy's URL, such as `http://proxy.example.com:3128`, without credentials.
        public let proxy: String
        /// The proxy's challenges in the order received, including those of unknown schemes. Never empty.
        public let challenges: [Challenge]
        /// The number of credentials that the proxy has refused for this request or tunnel so far.
        public let previousFailures: Int

        /// For example `http://proxy.example.com:3128: Basic realm="office"`.
        public var description: String {
            "\(proxy): \(challenges.map(\.description).joined(separator: ", "))"
        }
    }
}
