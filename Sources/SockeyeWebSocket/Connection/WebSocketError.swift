public import SockeyeEngine
import SockeyeNet

/// The failure or end of a WebSocket. The opening handshake is an HTTP request of the client, so it throws
/// ``/Sockeye/SockeyeError`` instead.
public struct WebSocketError: Error, Sendable {
    /// The kind of error. An open set: compare with the members, and expect more in later versions.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        /// The member's name, stable across versions; for metrics and logs.
        public let description: String

        /// The connection was closed by a Close frame, or is being closed by this side; see
        /// ``WebSocketError/closeStatus`` for the peer's code.
        public static let closed = Code(description: "closed")
        /// The connection broke, or ended without a Close frame (1006 in other libraries).
        public static let connectionLost = Code(description: "connectionLost")
        /// The peer violated RFC 6455 or 7692 and was sent 1002 or 1007. Or the peer sent too much data without content
        /// and was sent 1008: more than 256 consecutive frames without payload within a message, or more than 64 KiB of
        /// compressed data that decompress to nothing.
        public static let protocolViolation = Code(description: "protocolViolation")
        /// A frame or a message was larger than ``WebSocketConnection/Limits`` allow, or more bytes were discarded than
        /// ``WebSocketConnection/Limits/discardedBytes``. The peer was sent 1009, unless this side had already sent
        /// Close. Also thrown by ``WebSocketConnection/IncomingMessage/bytes(upTo:)``, which leaves the connection
        /// usable.
        public static let limitExceeded = Code(description: "limitExceeded")
        /// A deadline passed: of a send, a ping, the closing handshake or the keep-alive.
        public static let timeout = Code(description: "timeout")
        /// The task was cancelled.
        public static let cancelled = Code(description: "cancelled")
        /// The call is not allowed now, for example because another task is already receiving. Also thrown for a close
        /// code that must not be sent, and for a close reason that is too long.
        public static let invalidUse = Code(description: "invalidUse")
    }

    /// The kind of error.
    public let code: Code
    /// One sentence for people, without secrets.
    public let message: String
    /// The content of the peer's Close frame; nil without one.
    public let closeStatus: WebSocketConnection.CloseStatus?
    /// The exceeded limit in bytes; nil for other errors.
    public let limit: Int?
    /// The underlying error if the connection failed.
    public let underlying: SockeyeError?

    init(
        _ code: Code, _ message: String, closeStatus: WebSocketConnection.CloseStatus? = nil, limit: Int? = nil,
        underlying: SockeyeError? = nil
    ) {
        self.code = code
        self.message = message
        self.closeStatus = closeStatus
        self.limit = limit
        self.underlying = underlying
    }
}

extension WebSocketError: CustomStringConvertible {
    /// For example `limitExceeded: a message is larger than the limit of 16777216 bytes`.
    public var description: String { "\(code): \(message)" }
}

extension WebSocketError {
    static func closed(_ status: WebSocketConnection.CloseStatus) -> WebSocketError {
        WebSocketError(.closed, "the peer closed the connection: \(status)", closeStatus: status)
    }

    static var closing: WebSocketError {
        WebSocketError(.closed, "the connection is closed, or this side is closing it")
    }

    static var cancelled: WebSocketError { WebSocketError(.cancelled, "the task was cancelled") }

    static var lost: WebSocketError {
        WebSocketError(.connectionLost, "the connection ended without a Close frame")
    }

    static func timeout(_ what: String) -> WebSocketError { WebSocketError(.timeout, what) }

    static func invalidUse(_ message: String) -> WebSocketError { WebSocketError(.invalidUse, message) }

    init(_ fault: ProtocolFault) {
        let code: Code = fault.limit == nil ? .protocolViolation : .limitExceeded
        self.init(code, fault.description, limit: fault.limit)
    }

    /// Converts an error of the underlying stream.
    init(_ error: TransportError, sending: Bool) {
        switch error {
        case .cancelled: self = .cancelled
        case .timedOut:
            self = .timeout(sending ? "the peer accepted no data within the stall time" : "no data arrived in time")
        default:
            let cause = SockeyeError(error, phase: sending ? .send : .body)
            self.init(.connectionLost, "the connection broke: \(cause.message)", underlying: cause)
        }
    }
}
