package import SockeyeCore

/// The state machine of CONNECT: reads a proxy's answer (RFC 9110 9.3.6).
///
/// Any 2xx opens the tunnel, whose bytes begin after the head: Content-Length and Transfer-Encoding mean nothing then.
/// Every other final response refuses it. Interim responses are skipped. In all tunnels opened here this side speaks
/// first, so bytes that come along with the head are nobody's and break the tunnel.
package struct TunnelMachine: Sendable {
    package enum Outcome: Sendable {
        case open
        /// The response of a proxy that will not; and what of its content has come.
        case refused(ResponseHead, body: Bytes)
    }

    /// Bytes of one head at most, of all interim ones together, and of the content that is kept of a refusal.
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

    /// Goes on with the bytes that came next. Nil: more are needed.
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

    /// The outcome where the stream ends, or a deadline passes: a refusal stands although its content is incomplete. Nil
    /// where there is no final head yet.
    package var atEnd: Outcome? {
        refusal.map { head in
            .refused(head, body: Bytes(buffer.prefix(min(head.summary.contentLength ?? Self.limit, Self.limit))))
        }
    }

    /// Why a stream that ends now has not answered.
    package func fault() -> PeerFault { parser.atEndOfStream() }

    /// Whether as much of a refusal's content is here as is worth waiting for.
    private var isContentComplete: Bool {
        buffer.count >= min(refusal?.summary.contentLength ?? 0, Self.limit)
    }
}
