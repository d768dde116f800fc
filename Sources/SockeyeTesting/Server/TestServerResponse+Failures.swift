import HTTPTypes
public import SockeyeEngine

extension TestServerResponse {
    /// A network failure before or during the response.
    ///
    /// A ``MockTransport`` throws the same error as a client over sockets, with the same code, phase and blame. A
    /// ``TestServer`` has already accepted the connection, so it cannot imitate failures of earlier phases. It resets
    /// the connection for ``reset``, keeps it open without sending for ``silence``, and closes it for every other
    /// failure.
    public struct Failure: Sendable {
        enum Manner: Sendable {
            case close
            case reset
            /// Sends nothing more until the client's deadline passes.
            case silence
        }

        let manner: Manner
        let code: SockeyeError.Code
        /// The phase of the error; nil for the phase in which the failure happens: head or body.
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

        /// Makes a failure with any code and phase.
        public init(
            _ code: SockeyeError.Code, in phase: SockeyeError.Phase, blame: SockeyeError.Blame = .network,
            message: String = "a failure that the test requested"
        ) {
            self.init(.close, code, phase, blame, message)
        }

        /// The host name does not resolve: `resolutionFailed` in `resolve`.
        public static let unresolved = Failure(
            .close, .resolutionFailed, .resolve, .network, "the host name does not resolve")
        /// The connection is refused: `connectFailed` in `connect`.
        public static let refused = Failure(.close, .connectFailed, .connect, .network, "connect: connection refused")
        /// Connecting times out: `timeout` in `connect`.
        public static let connectTimeout = Failure(
            .close, .timeout, .connect, .network, "the connection was not established in time")
        /// The client rejects the certificate: `tlsFailed` in `tls`.
        public static let tls = Failure(.close, .tlsFailed, .tls, .peer, "the TLS handshake failed")
        /// The server closes the connection: `connectionClosed` in `head` or `body`.
        public static let closed = Failure(
            .close, .connectionClosed, nil, .peer, "the peer closed the connection before the end of its response")
        /// The server resets the connection: `connectionClosed` in `head` or `body`.
        public static let reset = Failure(.reset, .connectionClosed, nil, .peer, "read: connection reset by peer")
        /// The server sends nothing more and keeps the connection open. The client throws a `timeout` in `head` or
        /// `body` when its deadline for the head, for stalls or for the whole call passes.
        public static let silence = Failure(.silence, .timeout, nil, .peer, "the peer sent no more bytes")
        /// The response is not HTTP: `malformedResponse` in `head`.
        public static let malformed = Failure(
            .close, .malformedResponse, .head, .peer, "the response does not begin with a status line")
    }

    /// A failure instead of a response.
    public static func failure(_ failure: Failure) -> TestServerResponse {
        TestServerResponse(.ok, [:], failure.manner == .silence ? .never : .broken(failure))
    }

    /// Returns this response with a body that fails after `bytes` bytes were delivered, or at its end if it is shorter.
    ///
    /// The head announces the complete body, so the client can detect that a part is missing.
    public func cut(after bytes: Int, by failure: Failure = .closed) -> TestServerResponse {
        var copy = self
        copy.cut = (max(0, bytes), failure)
        return copy
    }

    /// Returns this response with a delay before it, by the clock of the server (``TestServerOptions/clock``) or of the
    /// ``MockTransport``.
    public func delayed(by delay: Duration) -> TestServerResponse {
        var copy = self
        copy.delay = max(.zero, delay)
        return copy
    }
}
