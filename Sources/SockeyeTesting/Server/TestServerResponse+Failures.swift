import HTTPTypes
public import SockeyeEngine

extension TestServerResponse {
    /// Trouble instead of a response, or amid one: what a client sees of a network that fails.
    ///
    /// A ``MockTransport`` throws the error that the client throws over sockets: with the same code, phase and blame. A
    /// ``TestServer``, which has been connected to by then, resets the connection for ``reset`` and else closes it.
    public struct Failure: Sendable {
        enum Manner: Sendable {
            case close
            case reset
            /// Nothing more comes, and the client's deadline ends it.
            case silence
        }

        let manner: Manner
        let code: SockeyeError.Code
        /// Nil: where it happens, in the head or in the body.
        let phase: SockeyeError.Phase?
        let blame: SockeyeError.Blame
        let message: String

        private init(
            _ manner: Manner, _ code: SockeyeError.Code, _ phase: SockeyeError.Phase?, _ blame: SockeyeError.Blame,
            _ message: String
        ) {
            self.manner = manner
            self.code = code
            self.phase = phase
            self.blame = blame
            self.message = message
        }

        /// Any other trouble: this code in this phase.
        public init(
            _ code: SockeyeError.Code, in phase: SockeyeError.Phase, blame: SockeyeError.Blame = .network,
            message: String = "a failure that the test asked for"
        ) {
            self.init(.close, code, phase, blame, message)
        }

        /// The host name does not resolve: `resolutionFailed` in `resolve`.
        public static let unresolved = Failure(
            .close, .resolutionFailed, .resolve, .network, "the host name does not resolve")
        /// Nobody listens: `connectFailed` in `connect`.
        public static let refused = Failure(.close, .connectFailed, .connect, .network, "connect: connection refused")
        /// Connecting never ends: `timeout` in `connect`.
        public static let connectTimeout = Failure(
            .close, .timeout, .connect, .network, "the connection was not established in time")
        /// The certificate is refused: `tlsFailed` in `tls`.
        public static let tls = Failure(.close, .tlsFailed, .tls, .peer, "the TLS handshake failed")
        /// The server closes: `connectionClosed` in `head` or `body`.
        public static let closed = Failure(
            .close, .connectionClosed, nil, .peer, "the peer closed the connection amid its response")
        /// The server resets the connection: `connectionClosed` in `head` or `body`.
        public static let reset = Failure(.reset, .connectionClosed, nil, .peer, "read: connection reset by peer")
        /// Nothing more comes, and nothing ends: the client's deadline for the head, for stalls or in total decides when it
        /// is a `timeout` in `head` or `body`.
        public static let silence = Failure(.silence, .timeout, nil, .peer, "no more came")
        /// What comes is not HTTP: `malformedResponse` in `head`.
        public static let malformed = Failure(
            .close, .malformedResponse, .head, .peer, "the response does not begin with a status line")
    }

    /// No response, but trouble.
    public static func failure(_ failure: Failure) -> TestServerResponse {
        TestServerResponse(.ok, [:], failure.manner == .silence ? .never : .broken(failure))
    }

    /// This response until so many bytes of its body were delivered, and then trouble.
    ///
    /// The head announces the whole body, so that the client knows that some is missing.
    public func cut(after bytes: Int, by failure: Failure = .closed) -> TestServerResponse {
        var copy = self
        copy.cut = (max(0, bytes), failure)
        return copy
    }

    /// This response after a while, by the clock of the server (``TestServerOptions/clock``) or of the ``MockTransport``.
    public func delayed(by delay: Duration) -> TestServerResponse {
        var copy = self
        copy.delay = max(.zero, delay)
        return copy
    }
}
