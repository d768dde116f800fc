import HTTPTypes

/// The framing of a response body: how its end is found (RFC 9112 6.3).
package enum BodyFraming: Sendable, Hashable {
    /// There is no body, whatever the fields say.
    case none
    /// Exactly this many bytes.
    case length(Int)
    case chunked
    /// All bytes until the connection ends in an orderly way.
    case untilClose
    /// What follows is no body but another protocol: the tunnel of a successful CONNECT.
    case tunnel

    /// The rules of RFC 9112 6.3 in their order. Not for 101, after which there is no HTTP.
    ///
    /// Where both Transfer-Encoding and Content-Length are given the former wins, and
    /// ``isAmbiguous(_:)`` says that the connection must not be used again.
    package static func determine(
        _ head: ResponseHeadSummary,
        for method: MethodKind
    ) throws(PeerFault) -> BodyFraming {
        // Any 2xx opens the tunnel, 204 too (RFC 9110 9.3.6).
        if method == .connect, 200..<300 ~= head.status { return .tunnel }
        if method == .head || head.isInterim || head.status == 204 || head.status == 304 { return .none }
        switch head.transferEncoding {
        case .absent: break
        case .chunked, .untilClose:
            // HTTP/1.0 has no transfer codings, so something on the way did not understand them (RFC 9112 6.1).
            guard head.minorVersion > 0 else { throw .transferEncodingInHTTP10 }
            return head.transferEncoding == .chunked ? .chunked : .untilClose
        }
        return head.contentLength.map { .length($0) } ?? .untilClose
    }

    /// Whether two fields give the body's end, so that two recipients may see two ends.
    package static func isAmbiguous(_ head: ResponseHeadSummary) -> Bool {
        (head.transferEncoding != .absent || head.hasIdentityCoding) && head.contentLength != nil
    }

    /// Whether not one byte of body can follow.
    package var isEmpty: Bool {
        self == .none || self == .length(0)
    }

    /// The number of bytes to come, where the framing tells.
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
/// Content is named as ranges of the input, so nothing is copied. Call ``decode(_:)`` with the bytes that were not
/// consumed so far, and ``endOfStream()`` when there will be no more.
package struct BodyDecoder: Sendable {
    private enum State: Sendable {
        case length(total: Int)
        case chunked
        case untilClose
        case finished
    }

    private var state: State
    /// Beside the state, not in it: taking it out and putting it back would copy what it has collected.
    private var chunks: ChunkedDecoder
    /// Bytes of content so far.
    package private(set) var received = 0

    /// A tunnel has no end of its own, so it is read like a body that ends with the connection.
    package init(_ framing: BodyFraming, limits: HTTP1Limits = HTTP1Limits()) {
        chunks = ChunkedDecoder(limits: limits)
        switch framing {
        case .none, .length(0): state = .finished
        case .length(let total): state = .length(total: total)
        case .chunked: state = .chunked
        case .untilClose, .tunnel: state = .untilClose
        }
    }

    /// Whether the body is complete. With a known length this is true as soon as its last byte was named.
    package var isFinished: Bool {
        if case .finished = state { true } else { false }
    }

    /// Bytes of content that are certain to come, for choosing the size of a read; nil where that is unknown.
    package var expected: Int? {
        switch state {
        case .length(let total): total - received
        case .chunked: chunks.expected
        case .untilClose: nil
        case .finished: 0
        }
    }

    /// The fields of the trailer section that may stand there; empty before the end and where the framing has none.
    package var trailerFields: Headers { chunks.trailerFields() }

    /// All fields of the trailer section, those included that RFC 9110 6.5.1 forbids there. Never to be merged with
    /// the head or acted upon.
    package var receivedTrailerFields: Headers { chunks.receivedTrailerFields() }

    /// Goes on with the bytes behind those consumed so far.
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

    /// The stream ended in an orderly way: fine for a body that ends with it, else the body was cut short.
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

/// The result of one step of a decoder. Bytes it consumed are not given again.
package enum BodyStep: Sendable, Hashable {
    /// The bytes in this range are content; everything before its end is consumed. Never empty.
    case data(Range<Int>)
    /// All that was given is consumed, and it was not enough. `consumed` is always the number of bytes given.
    case needMore(consumed: Int)
    /// The body is complete; bytes behind the first `consumed` ones are not part of it.
    case end(consumed: Int)
}
