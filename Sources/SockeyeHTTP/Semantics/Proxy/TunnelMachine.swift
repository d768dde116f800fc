package import SockeyeCore

/// The state machine of CONNECT, which parses a proxy's answer (RFC 9110 9.3.6).
///
/// Any 2xx opens the tunnel. The tunnel's bytes begin after the head, regardless of Content-Length and
/// Transfer-Encoding. Any other final response is a refusal, and so is 101 (Switching Protocols). Other interim
/// responses are skipped. In all tunnels that this library opens, the client sends first. So bytes that arrive together
/// with a 2xx head, after its end, are a fault.
package struct TunnelMachine: Sendable {
    package enum Outcome: Sendable {
        case open
        /// The proxy's refusal, with the part of its content received so far, at most ``limit`` bytes. Chunked content
        /// is not decoded.
        case refused(ResponseHead, body: Bytes)
    }

    /// The maximum number of bytes. It applies separately to each head, to all interim responses together, and to the
    /// stored content of a refusal.
    package static let limit = 16 << 10

    private let limits: HTTP1Limits
    private var parser: ResponseHeadParser
    private var buffer: [UInt8] = []
    private var interimBytes = 0
    private var refusal: ResponseHead?

    package init() {
        var limits = HTTP1Limits()
        limits.headBytes = Self.limit
        limits.interimBytes = Self.limit
        self.limits = limits
        parser = ResponseHeadParser(limits: limits)
    }

    /// Handles the next bytes. Returns the outcome; nil if more bytes are needed.
    package mutating func receive(_ bytes: some Collection<UInt8>) throws(PeerFault) -> Outcome? {
        buffer += bytes
        while refusal == nil {
            let unread = buffer
            guard let summary = try parser.parse(unread.span) else { return nil }
            let head = ResponseHead(bytes: Bytes(buffer[..<summary.byteCount]), summary: summary)
            buffer.removeFirst(summary.byteCount)
            switch head.status {
            case 200..<300:
                guard buffer.isEmpty else { throw .surplusBytes(buffer.count) }
                return .open
            case 100, 102..<200:
                interimBytes += summary.byteCount
                guard interimBytes <= limits.interimBytes else {
                    throw .interimTooLarge(limit: limits.interimBytes)
                }
                parser = ResponseHeadParser(limits: limits)
            default:
                refusal = head
            }
        }
        return isContentComplete ? atEnd : nil
    }

    /// The outcome if the stream ends or a deadline passes now. A refusal counts even with incomplete content. Nil if
    /// no refusal has been received.
    package var atEnd: Outcome? {
        refusal.map { head in
            .refused(head, body: Bytes(buffer.prefix(min(head.summary.contentLength ?? Self.limit, Self.limit))))
        }
    }

    /// Returns the fault to report if the stream ends now, before a final response.
    package func fault() -> PeerFault { parser.atEndOfStream() }

    /// True if the received content of a refusal is complete or has reached the limit. Also true without a
    /// Content-Length: the machine does not wait for content of unknown length.
    private var isContentComplete: Bool {
        buffer.count >= min(refusal?.summary.contentLength ?? 0, Self.limit)
    }
}
