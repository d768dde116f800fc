import SockeyeCore

/// The terms of RFC 6455 that both sides of a connection use.
public enum WebSocketProtocol {
    /// The kind of a message.
    @nonexhaustive public enum Kind: Sendable, Hashable {
        /// UTF-8 text.
        case text
        /// Any bytes.
        case binary
    }

    /// The reason for closing a connection, as a number (RFC 6455 7.4). Applications may define further numbers.
    public struct CloseCode: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
        /// The number, 1000 to 4999 if it comes from a Close frame.
        public let rawValue: UInt16

        /// Creates a code from any number; see ``isSendable`` for those that may be sent.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// 1000: the purpose of the connection is fulfilled.
        public static let normal = CloseCode(rawValue: 1000)
        /// 1001: the server shuts down, or the client leaves.
        public static let goingAway = CloseCode(rawValue: 1001)
        /// 1002: the peer violated the protocol.
        public static let protocolError = CloseCode(rawValue: 1002)
        /// 1003: the receiver does not accept this kind of data.
        public static let unsupportedData = CloseCode(rawValue: 1003)
        /// 1007: the content does not match the kind of message, such as text that is not UTF-8.
        public static let invalidPayload = CloseCode(rawValue: 1007)
        /// 1008: the message violates the receiver's policy.
        public static let policyViolation = CloseCode(rawValue: 1008)
        /// 1009: a message is too big for the receiver.
        public static let messageTooBig = CloseCode(rawValue: 1009)
        /// 1011: the sender had an internal failure.
        public static let internalError = CloseCode(rawValue: 1011)
        /// 1012: the service restarts (IANA registry).
        public static let serviceRestart = CloseCode(rawValue: 1012)
        /// 1013: the service is overloaded (IANA registry).
        public static let tryAgainLater = CloseCode(rawValue: 1013)

        /// True if a Close frame may contain the code: 1000 to 1003, 1007 to 1014, and 3000 to 4999.
        ///
        /// Of the other codes, 1005 stands for a Close frame without a code, 1006 for an end without a Close frame, and
        /// 1015 for a failed TLS handshake. See RFC 6455 7.4.1 and 7.4.2, and the IANA registry.
        public var isSendable: Bool {
            switch rawValue {
            case 1000...1003, 1007...1014, 3000...4999: true
            default: false
            }
        }

        /// The number.
        public var description: String { String(rawValue) }
    }

    /// The content of a Close frame (RFC 6455 5.5.1).
    public struct CloseStatus: Sendable, Hashable {
        /// The code; nil if the frame had none (1005 in other libraries).
        public let code: CloseCode?
        /// The reason as text; meant for logs. A reason longer than ``maximumReason`` cannot be sent.
        public let reason: String

        /// The longest reason, in bytes of UTF-8.
        public static let maximumReason = FrameHeader.maximumControlPayload - 2

        /// Creates a status. Without a code the reason is dropped.
        public init(_ code: CloseCode?, reason: String = "") {
            self.code = code
            self.reason = code == nil ? "" : reason
        }

        /// True for a normal end: 1000, or no code.
        public var isNormal: Bool { code == nil || code == .normal }

        /// Parses the payload of a Close frame.
        package init(payload: [UInt8]) throws(ProtocolFault) {
            guard !payload.isEmpty else {
                self.init(nil)
                return
            }
            guard payload.count >= 2 else { throw .badClosePayload }
            let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
            guard code.isSendable else { throw .badCloseCode(code.rawValue) }
            guard let reason = String(validating: payload.dropFirst(2), as: UTF8.self) else { throw .invalidText }
            self.init(code, reason: reason)
        }

        /// The payload of a Close frame; nil if the code must not be sent or the reason is too long.
        package var payload: [UInt8]? {
            guard let code else { return [] }
            guard code.isSendable, reason.utf8.count <= Self.maximumReason else { return nil }
            return [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)] + Array(reason.utf8)
        }
    }
}

extension WebSocketProtocol.CloseStatus: CustomStringConvertible, CustomReflectable {
    /// The code and the length of the reason. The reason itself is omitted, because it may contain anything.
    public var description: String {
        (code.map { "\($0)" } ?? "no code") + (reason.isEmpty ? "" : " with a reason of \(reason.utf8.count) bytes")
    }

    /// Contains only the description, so that debuggers do not show the reason.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
