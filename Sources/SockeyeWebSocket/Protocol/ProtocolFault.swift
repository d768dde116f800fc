/// A violation of the protocol or of a limit by the peer, which fails the connection (RFC 6455 7.1.7).
package enum ProtocolFault: Error, Sendable, Hashable {
    // RFC 6455 5.1, 5.2, 5.5
    case reservedBits
    case reservedOpcode(UInt8)
    case maskedByServer
    case unmaskedByClient
    case fragmentedControl
    case oversizedControl
    case nonMinimalLength
    case lengthTooLarge
    // RFC 6455 5.4
    case unexpectedContinuation
    case interleavedMessage
    // RFC 6455 5.5.1, 7.4, 8.1
    case invalidText
    case badClosePayload
    case badCloseCode(UInt16)
    // RFC 7692 7.2.2
    case badCompression(String)
    // Frames without payload and compressed data without content, which only cost time.
    case emptyFrames(limit: Int)
    case emptyCompression(limit: Int)
    // Limits
    case frameTooLarge(limit: Int)
    case messageTooLarge(limit: Int)
    /// This side would have to discard more received bytes than the limit. Discarded bytes belong to a message that
    /// the application stopped reading before its end, or arrive after this side's Close frame and before the peer's.
    case discardTooLarge(limit: Int)

    /// The code of the Close frame to send to the peer (RFC 6455 7.4.1).
    package var closeCode: WebSocketProtocol.CloseCode {
        switch self {
        case .invalidText, .badCompression: .invalidPayload
        case .frameTooLarge, .messageTooLarge, .discardTooLarge: .messageTooBig
        case .emptyFrames, .emptyCompression: .policyViolation
        default: .protocolError
        }
    }

    /// The limit in bytes that a frame, a message or discarded data exceeded; nil for all other faults.
    package var limit: Int? {
        switch self {
        case .frameTooLarge(let limit), .messageTooLarge(let limit), .discardTooLarge(let limit): limit
        default: nil
        }
    }
}

extension ProtocolFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .reservedBits: "a frame has reserved bits set that no negotiated extension defines"
        case .reservedOpcode(let code): "a frame has the reserved opcode \(code)"
        case .maskedByServer: "the server masked a frame"
        case .unmaskedByClient: "the client did not mask a frame"
        case .fragmentedControl: "a control frame is fragmented"
        case .oversizedControl: "a control frame has more than 125 bytes"
        case .nonMinimalLength: "a frame's length is not in its shortest form"
        case .lengthTooLarge: "a frame's length has its most significant bit set"
        case .unexpectedContinuation: "a continuation frame arrived without an unfinished message"
        case .interleavedMessage: "a message begins inside another one"
        case .invalidText: "text is not valid UTF-8"
        case .badClosePayload: "a Close frame has a payload of one byte"
        case .badCloseCode(let code): "a Close frame has the code \(code), which must not be sent"
        case .badCompression(let reason): "compressed data is damaged: \(reason)"
        case .emptyFrames(let limit): "a message has more than \(limit) frames without payload in a row"
        case .emptyCompression(let limit): "more than \(limit) bytes of compressed data decompress to nothing"
        case .discardTooLarge(let limit): "more than the limit of \(limit) bytes would be discarded unread"
        case .frameTooLarge(let limit): "a frame is larger than the limit of \(limit) bytes"
        case .messageTooLarge(let limit): "a message is larger than the limit of \(limit) bytes"
        }
    }
}
