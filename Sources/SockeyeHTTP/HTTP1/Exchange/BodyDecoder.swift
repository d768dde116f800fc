/// The framing of a response body: the rule by which its end is found (RFC 9112 6.3).
package enum BodyFraming: Sendable, Hashable {
    /// The response has no body, even if its fields announce one.
    case none
    /// Exactly this many bytes.
    case length(Int)
    /// The chunked transfer coding.
    case chunked
    /// All bytes until the connection ends in an orderly way.
    case untilClose
    /// The bytes after the head belong to another protocol: the tunnel of a successful CONNECT.
    case tunnel

    /// True if the body certainly has no bytes.
    package var isEmpty: Bool {
        self == .none || self == .length(0)
    }

    /// The length of the body in bytes; nil if the framing does not tell it.
    package var length: Int? {
        switch self {
        case .none: 0
        case .length(let count): count
        case .chunked, .untilClose, .tunnel: nil
        }
    }
}

/// The decoder of message bodies, for every framing (RFC 9112 6).
///
/// It returns content as ranges of the input, so nothing is copied. Call ``decode(_:)`` with the bytes that are not
/// consumed yet, and ``endOfStream()`` when the stream has ended.
package struct BodyDecoder: Sendable {
    private enum State: Sendable {
        case length(total: Int)
        case chunked
        case untilClose
        case finished
    }

    private var state: State
    /// Kept outside `state`: extracting it as an associated value and storing it again would copy the collected
    /// trailers.
    private var chunks: ChunkedDecoder
    /// The number of content bytes decoded so far.
    package private(set) var received = 0

    /// Creates a decoder. A tunnel has no end of its own, so it is decoded like a body that ends with the connection.
    package init(_ framing: BodyFraming, limits: HTTP1Limits = HTTP1Limits()) {
        chunks = ChunkedDecoder(limits: limits)
        switch framing {
        case .none, .length(0): state = .finished
        case .length(let total): state = .length(total: total)
        case .chunked: state = .chunked
        case .untilClose, .tunnel: state = .untilClose
        }
    }

    /// True if the body is complete. With a known length this becomes true with the step that returns the last byte.
    package var isFinished: Bool {
        if case .finished = state { true } else { false }
    }

    /// The number of announced content bytes still to come: of the current chunk if the body is chunked, otherwise of
    /// the body. Nil if unknown.
    package var expected: Int? {
        switch state {
        case .length(let total): total - received
        case .chunked: chunks.expected
        case .untilClose: nil
        case .finished: 0
        }
    }

    /// The trailer fields without those that RFC 9110 6.5.1 forbids in trailers. Incomplete before the end; empty if
    /// the framing has no trailers.
    package var trailerFields: Headers { chunks.trailerFields() }

    /// All trailer fields, including those that RFC 9110 6.5.1 forbids in trailers. Never merge them with the head's
    /// fields, and never act on them.
    package var receivedTrailerFields: Headers { chunks.receivedTrailerFields() }

    package mutating func decode(_ input: Span<UInt8>) throws(PeerFault) -> BodyStep {
        switch state {
        case .finished: return .end(consumed: 0)
        case .length(let total): return decodeLength(input.count, total: total)
        case .untilClose:
            guard input.count > 0 else { return .needMore(consumed: 0) }
            received += input.count
            return .data(0..<input.count)
        case .chunked:
            let step = try chunks.decode(input)
            switch step {
            case .data(let range): received += range.count
            case .needMore: break
            case .end: state = .finished
            }
            return step
        }
    }

    /// Reports that the stream ended in an orderly way. Throws if the body is incomplete; a body of framing
    /// `untilClose` is complete now.
    package mutating func endOfStream() throws(PeerFault) {
        switch state {
        case .finished: break
        case .untilClose: state = .finished
        case .length(let total): throw .truncatedBody(received: received, expected: total)
        case .chunked: throw .truncatedBody(received: received, expected: nil)
        }
    }

    private mutating func decodeLength(_ available: Int, total: Int) -> BodyStep {
        guard available > 0 else { return .needMore(consumed: 0) }
        let count = min(available, total - received)
        received += count
        if received == total { state = .finished }
        return .data(0..<count)
    }
}

/// The result of one decoding step. Consumed bytes must not be passed again.
package enum BodyStep: Sendable, Hashable {
    /// The bytes in this range are content. All bytes before the end of the range are consumed. Never empty.
    case data(Range<Int>)
    /// All given bytes are consumed and more are needed. `consumed` is always the number of given bytes.
    case needMore(consumed: Int)
    /// The body is complete; bytes after the first `consumed` ones do not belong to it.
    case end(consumed: Int)
}
