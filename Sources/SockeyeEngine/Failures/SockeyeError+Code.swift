extension SockeyeError {
    /// What happened. An open set: compare with the members, and expect more in later versions.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private let name: String

        /// A code by its name, for those who write errors down and read them back.
        package init(_ name: String) {
            self.name = name
        }

        /// The member's name, stable across versions; made for metrics and logs.
        public var description: String { name }

        /// The URL cannot be parsed, or is not http or https.
        public static let invalidURL = Code("invalidURL")
        /// The request cannot be sent as it is: a bad method, field name or value, target or combination of options.
        public static let invalidRequest = Code("invalidRequest")
        /// The body was shorter or longer than the length that was declared for it. The connection was closed.
        public static let bodyLengthMismatch = Code("bodyLengthMismatch")
        /// The sequence or file that produces the request body threw; see ``SockeyeError/underlying``.
        public static let bodyFailed = Code("bodyFailed")
        /// The value or the parameters to send cannot be encoded; see ``SockeyeError/underlying``.
        public static let encodingFailed = Code("encodingFailed")
        /// A deadline passed; ``SockeyeError/phase`` tells which.
        public static let timeout = Code("timeout")
        /// The task was cancelled.
        public static let cancelled = Code("cancelled")
        /// The client was shut down.
        public static let shutDown = Code("shutDown")
        /// More requests wait for a connection than the configuration allows.
        public static let tooManyWaiting = Code("tooManyWaiting")
        /// The host name could not be resolved.
        public static let resolutionFailed = Code("resolutionFailed")
        /// No connection could be made: refused, unreachable, reset.
        public static let connectFailed = Code("connectFailed")
        /// The proxy refused to connect to the server, or broke its protocol; ``SockeyeError/response`` has its answer to
        /// CONNECT, and ``SockeyeError/message`` names it. An http URL's proxy answers in the place of the server instead.
        public static let proxyFailed = Code("proxyFailed")
        /// The process or the system has no descriptors or memory left: for a connection, though idle ones were given up
        /// for it, for the look-up of a name, or for a file that is needed, be it of trusted roots or of content.
        public static let outOfResources = Code("outOfResources")
        /// The TLS handshake failed, or the peer's certificate was refused.
        public static let tlsFailed = Code("tlsFailed")
        /// The peer closed or reset the connection before its response was complete.
        public static let connectionClosed = Code("connectionClosed")
        /// The response breaks HTTP; ``SockeyeError/message`` says how.
        public static let malformedResponse = Code("malformedResponse")
        /// A limit was passed; ``SockeyeError/limit-swift.property`` tells which.
        public static let limitExceeded = Code("limitExceeded")
        /// The content coding of the body is damaged or not supported.
        public static let badContentCoding = Code("badContentCoding")
        /// The body was asked for twice: that of a response can be read once, and that of a request, where it is a stream
        /// that is not ``OutgoingRequest/Body/isReplayable``, sent once.
        public static let bodyConsumed = Code("bodyConsumed")
        /// The response's status is not one that the call accepts.
        public static let unacceptableStatus = Code("unacceptableStatus")
        /// The type of the content is not one that the call accepts.
        public static let unacceptableContentType = Code("unacceptableContentType")
        /// The body could not be turned into the value that was asked for; see ``SockeyeError/decoding``.
        public static let decodingFailed = Code("decodingFailed")
        /// The server answered an upgrade or CONNECT request with an ordinary response.
        public static let upgradeRefused = Code("upgradeRefused")
        /// A redirect cannot be followed: its target is malformed, has another scheme than http and https, or is less safe
        /// than what led there; ``SockeyeError/response`` has the answer.
        public static let redirectRefused = Code("redirectRefused")
        /// The redirects lead back to where they came from, again and again.
        public static let redirectLoop = Code("redirectLoop")
        /// The origin failed too often and is not asked for a while; see ``RetryPolicy/CircuitBreaker``. The message names both.
        public static let circuitOpen = Code("circuitOpen")
        /// A file of cookies cannot be read or written, or is none; see ``SockeyeError/message``.
        public static let cookieFileFailed = Code("cookieFileFailed")
        /// Credentials would have been sent over plain http to another machine; see ``AuthenticationPolicy``.
        public static let insecureCredentials = Code("insecureCredentials")
        /// Whoever was asked for credentials failed: the provider of tokens, or the handler of challenges; see
        /// ``SockeyeError/underlying``.
        public static let authenticationFailed = Code("authenticationFailed")
        /// A file cannot be created, written, or moved to its destination; ``SockeyeError/underlying`` is a ``FileError``.
        /// What was at the destination is as it was.
        public static let fileFailed = Code("fileFailed")
        /// The disk, or the user's share of it, is full, or a file is not allowed to become any larger (`ENOSPC`, `EDQUOT`,
        /// `EFBIG`).
        public static let diskFull = Code("diskFull")
        /// There is a file at the destination, and it is not to be replaced.
        public static let fileExists = Code("fileExists")
        /// Whoever was to take the content of a response threw; see ``SockeyeError/underlying``. The connection was closed.
        public static let sinkFailed = Code("sinkFailed")
        /// The content is not what its checksum says. It was thrown away.
        public static let checksumMismatch = Code("checksumMismatch")
        /// An ``Interceptor`` threw something else than a ``SockeyeError``; see ``SockeyeError/underlying``.
        public static let interceptorFailed = Code("interceptorFailed")
        /// The configuration cannot be used; ``SockeyeError/message`` says which part.
        public static let badConfiguration = Code("badConfiguration")
    }

    /// The phases of an exchange, in order.
    @nonexhaustive public enum Phase: String, Sendable, Hashable, CustomStringConvertible {
        /// Before anything was done: the request is checked.
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

    /// Who is to blame.
    @nonexhaustive public enum Blame: String, Sendable, Hashable, CustomStringConvertible {
        /// The code that made the request.
        case caller
        /// The server, or a proxy.
        case peer
        /// What lies between, or the local system.
        case network
        /// The disk that a file is written to.
        case disk
        /// A configured policy: a limit, a refusal.
        case policy

        /// The name of the party.
        public var description: String { rawValue }
    }

    /// A limit or deadline that was passed.
    public struct Limit: Sendable, Hashable, CustomStringConvertible {
        /// The name of the setting.
        public let name: String
        /// Its configured value, with its unit.
        public let configured: String
        /// The value that was seen, where one was.
        public let seen: String?

        package init(
            _ name: String, configured: some CustomStringConvertible, seen: (any CustomStringConvertible)? = nil
        ) {
            self.name = name
            self.configured = configured.description
            self.seen = seen?.description
        }

        /// For example `limit maximumBodySize: 1024, seen 4096`.
        public var description: String {
            "limit \(name): \(configured)" + (seen.map { ", seen \($0)" } ?? "")
        }
    }
}
