extension SockeyeError {
    /// The kind of failure. An open set: later versions may add members.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private let name: String

        /// Creates a code from its name, to restore an error that was stored.
        package init(_ name: String) {
            self.name = name
        }

        /// The member's name, stable across versions; for metrics and logs.
        public var description: String { name }

        /// The URL cannot be parsed, or is not http or https.
        public static let invalidURL = Code("invalidURL")
        /// The request cannot be sent as it is: a bad method, field name or value, target or combination of options.
        public static let invalidRequest = Code("invalidRequest")
        /// The request body was shorter or longer than its declared length, and the connection was closed. In a
        /// download: the response body does not have the length that the server announced.
        public static let bodyLengthMismatch = Code("bodyLengthMismatch")
        /// The producer of the request body, a sequence or a file, threw; see ``SockeyeError/underlying``.
        public static let bodyFailed = Code("bodyFailed")
        /// The value or the parameters to send cannot be encoded; see ``SockeyeError/underlying``.
        public static let encodingFailed = Code("encodingFailed")
        /// A deadline passed; see ``SockeyeError/phase``.
        public static let timeout = Code("timeout")
        /// The task was cancelled.
        public static let cancelled = Code("cancelled")
        /// The client was shut down.
        public static let shutDown = Code("shutDown")
        /// More requests wait for a connection than the configuration allows.
        public static let tooManyWaiting = Code("tooManyWaiting")
        /// The host name could not be resolved.
        public static let resolutionFailed = Code("resolutionFailed")
        /// No connection could be made: refused, unreachable, reset, or forbidden by the address policy.
        public static let connectFailed = Code("connectFailed")
        /// The proxy refused to connect to the server or violated its protocol. ``SockeyeError/response`` is the
        /// proxy's response to CONNECT, if any, and ``SockeyeError/message`` names the proxy. A proxy that forwards a
        /// request for an http URL without a tunnel reports its failures by ordinary responses. They do not cause this
        /// error.
        public static let proxyFailed = Code("proxyFailed")
        /// The process or the system has no descriptors or memory left for a connection, a name look-up or a file.
        /// Before a connection fails with this code, idle connections are closed to make room.
        public static let outOfResources = Code("outOfResources")
        /// The TLS handshake failed, or the peer's certificate was refused.
        public static let tlsFailed = Code("tlsFailed")
        /// The connection ended before the response was complete: the peer closed or reset it, the network failed, or
        /// the client closed it.
        public static let connectionClosed = Code("connectionClosed")
        /// The response violates HTTP; see ``SockeyeError/message``.
        public static let malformedResponse = Code("malformedResponse")
        /// A limit was exceeded; see ``SockeyeError/limit-swift.property``.
        public static let limitExceeded = Code("limitExceeded")
        /// The content coding of the body is damaged or not supported.
        public static let badContentCoding = Code("badContentCoding")
        /// The body was used twice. A response body can be read once. A request body that is not
        /// ``OutgoingRequest/Body/isReplayable`` can be sent once.
        public static let bodyConsumed = Code("bodyConsumed")
        /// The response's status is not one that the call accepts.
        public static let unacceptableStatus = Code("unacceptableStatus")
        /// The type of the content is not one that the call accepts.
        public static let unacceptableContentType = Code("unacceptableContentType")
        /// The body could not be decoded as the requested value; see ``SockeyeError/decoding``.
        public static let decodingFailed = Code("decodingFailed")
        /// The server answered an upgrade or CONNECT request with an ordinary response.
        public static let upgradeRefused = Code("upgradeRefused")
        /// A redirect cannot be followed: its target is malformed, has another scheme than http and https, or is less
        /// safe than the redirecting URL. ``SockeyeError/response`` is the redirecting response.
        public static let redirectRefused = Code("redirectRefused")
        /// The redirects form a loop.
        public static let redirectLoop = Code("redirectLoop")
        /// Requests to the origin are suspended for a while because it failed too often; see
        /// ``RetryPolicy/CircuitBreaker``. The message names the origin and the maximum wait until the next request is
        /// allowed.
        public static let circuitOpen = Code("circuitOpen")
        /// A cookie file cannot be read or written, or is not a cookie file; see ``SockeyeError/message``.
        public static let cookieFileFailed = Code("cookieFileFailed")
        /// Credentials would have been sent over plain http to another machine; see ``AuthenticationPolicy``.
        public static let insecureCredentials = Code("insecureCredentials")
        /// The provider of tokens or the handler of challenges failed; see ``SockeyeError/underlying``.
        public static let authenticationFailed = Code("authenticationFailed")
        /// A file cannot be created, written, or moved to its destination, or a descriptor cannot be written;
        /// ``SockeyeError/underlying`` is a ``FileError``. An existing file at the destination is unchanged.
        public static let fileFailed = Code("fileFailed")
        /// The disk or the user's quota is full, or a file may not become any larger (`ENOSPC`, `EDQUOT`, `EFBIG`).
        public static let diskFull = Code("diskFull")
        /// A file exists at the destination and must not be replaced.
        public static let fileExists = Code("fileExists")
        /// The sink of a response's content threw; see ``SockeyeError/underlying``. The rest of the content was
        /// discarded.
        public static let sinkFailed = Code("sinkFailed")
        /// The content does not match its checksum and was discarded.
        public static let checksumMismatch = Code("checksumMismatch")
        /// An ``Interceptor`` threw an error other than ``SockeyeError``; see ``SockeyeError/underlying``.
        public static let interceptorFailed = Code("interceptorFailed")
        /// The configuration cannot be used; ``SockeyeError/message`` describes the problem.
        public static let badConfiguration = Code("badConfiguration")
    }

    /// The phases of an exchange, in order.
    @nonexhaustive public enum Phase: String, Sendable, Hashable, CustomStringConvertible {
        /// The check of the request, before anything else.
        case prepare
        /// Waiting for a connection of the pool.
        case pool
        /// Resolving the host name.
        case resolve
        /// Connecting the socket.
        case connect
        /// The TLS handshake.
        case tls
        /// Sending the request.
        case send
        /// Waiting for, or reading, the response head.
        case head
        /// Reading the response body.
        case body
        /// Undoing content codings, decoding text or values.
        case decode

        /// The name of the phase.
        public var description: String { rawValue }
    }

    /// The party to blame.
    @nonexhaustive public enum Blame: String, Sendable, Hashable, CustomStringConvertible {
        /// The code that made the request.
        case caller
        /// The server, or a proxy.
        case peer
        /// The network between the hosts, or the local system.
        case network
        /// The disk that a file is written to.
        case disk
        /// A configured policy, which set a limit or refused the request.
        case policy

        /// The name of the party.
        public var description: String { rawValue }
    }

    /// A limit or deadline that was exceeded.
    public struct Limit: Sendable, Hashable, CustomStringConvertible {
        /// The name of the setting or parameter, such as `bodyBytes`, `timeouts.head` or `collect(upTo:)`.
        public let name: String
        /// The configured value of the setting, with its unit.
        public let configured: String
        /// The value that was seen, if any.
        public let seen: String?

        package init(
            _ name: String, configured: some CustomStringConvertible, seen: (any CustomStringConvertible)? = nil
        ) {
            self.name = name
            self.configured = configured.description
            self.seen = seen?.description
        }

        /// For example `limit bodyBytes: 1024 bytes, seen 4096 bytes`.
        public var description: String {
            "limit \(name): \(configured)" + (seen.map { ", seen \($0)" } ?? "")
        }
    }
}
