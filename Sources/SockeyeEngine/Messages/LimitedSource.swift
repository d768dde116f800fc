import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import Synchronization

/// A size limit for a body, set by the call or by the client.
struct BodyLimit: Sendable {
    let bytes: Int
    private let isOfCall: Bool

    /// ``ResponseLimits/bodyBytes``.
    static func ofClient(_ bytes: Int) -> BodyLimit { BodyLimit(bytes: bytes, isOfCall: false) }

    /// ``OutgoingRequest/Options/bodyLimit``.
    static func ofCall(_ bytes: Int) -> BodyLimit { BodyLimit(bytes: bytes, isOfCall: true) }

    func exceeded(seen: Int) -> SockeyeError {
        var fields = SockeyeError.Fields(
            .limitExceeded, phase: .body, blame: .policy,
            message: "the body exceeds the limit of the \(isOfCall ? "call" : "client")")
        fields.limit = .init(
            isOfCall ? "bodyLimit" : "bodyBytes", configured: "\(bytes) bytes", seen: "\(seen) bytes")
        return SockeyeError(fields)
    }
}

/// A body source with a size limit. A body that is announced larger fails before it is read; any other body fails as
/// soon as it exceeds the limit.
///
/// It throws only when it is read. The body of a redirect is not read, so it may be of any size. A call checks the
/// ``announcedSizeError`` of its last response itself.
final class LimitedSource: BodySource {
    private struct State {
        var first: Bytes
        var delivered = 0
        var refused = Bytes()
    }

    private let limit: BodyLimit
    private let announced: Int?
    private let state: Mutex<State>
    private let upstream: (any BodySource)?

    /// - Parameter announced: The length that the head announces; nil if it announces no length.
    init(_ limit: BodyLimit, announced: Int?, first: Bytes, upstream: (any BodySource)?) {
        self.limit = limit
        self.announced = announced
        state = Mutex(State(first: first))
        self.upstream = upstream
    }

    var trailers: Headers? { upstream?.trailers }

    /// The error of a body that is announced too large.
    var announcedSizeError: SockeyeError? {
        guard let announced, announced > limit.bytes else { return nil }
        return limit.exceeded(seen: announced)
    }

    /// The received start of the body; empty once some of it was delivered.
    var start: Bytes {
        state.withLock { state in
            guard state.delivered == 0 else { return Bytes() }
            return state.first.isEmpty ? state.refused : state.first
        }
    }

    func next() async throws(SockeyeError) -> Bytes? {
        if let announcedSizeError { throw announcedSizeError }
        let first = state.withLock { state in
            defer { state.first = Bytes() }
            return state.first
        }
        guard let piece = first.isEmpty ? try await upstream?.next() : first else { return nil }
        let seen = state.withLock { state in
            let seen = state.delivered + piece.count
            if seen <= limit.bytes { state.delivered = seen } else { state.refused = piece }
            return seen
        }
        guard seen <= limit.bytes else { throw limit.exceeded(seen: seen) }
        return piece
    }
}

/// A body source that decodes the content codings of another one (RFC 9110 8.4).
final class DecodingSource: BodySource {
    private let decoder: ContentDecoder
    private let first: Mutex<Bytes>
    private let upstream: (any BodySource)?
    private let exceeded: (@Sendable () -> SockeyeError?)?

    /// - Parameter exceeded: Returns the error of a deadline that has passed; nil if only the deadlines of `upstream`
    ///   apply.
    init(
        _ codings: [ContentCoding], limits: DecodingLimits, first: Bytes, upstream: (any BodySource)?,
        exceeded: (@Sendable () -> SockeyeError?)? = nil
    ) {
        decoder = ContentDecoder(codings, limits: limits)
        self.first = Mutex(first)
        self.upstream = upstream
        self.exceeded = exceeded
    }

    var trailers: Headers? { upstream?.trailers }

    func next() async throws(SockeyeError) -> Bytes? {
        while true {
            switch try decode({ () throws(CodecError) in try decoder.step() }) {
            case .piece(let piece): return piece
            case .turnEnded: try await yieldTurn()
            case .needsInput:
                guard let coded = try await nextCoded() else {
                    try decode { () throws(CodecError) in try decoder.finish() }
                    return nil
                }
                decoder.push(coded)
            }
        }
    }

    private func yieldTurn() async throws(SockeyeError) {
        if Task.isCancelled { throw SockeyeError(TransportError.cancelled, phase: .body) }
        if let error = exceeded?() { throw error }
        await Task.yield()
    }

    private func nextCoded() async throws(SockeyeError) -> Bytes? {
        let first = first.withLock { first in
            defer { first = Bytes() }
            return first
        }
        if !first.isEmpty { return first }
        return try await upstream?.next()
    }

    private func decode<Value>(_ body: () throws(CodecError) -> Value) throws(SockeyeError) -> Value {
        do throws(CodecError) { return try body() } catch { throw SockeyeError(error, progress: decoder.progress) }
    }
}

extension BodyContent {
    /// The same content with the limit of a call, or else of its client; see ``OutgoingRequest/Options/bodyLimit``.
    package func limited(by call: Int?, orClient client: Int?) -> BodyContent {
        guard let limit = call.map(BodyLimit.ofCall) ?? client.map(BodyLimit.ofClient) else { return self }
        guard source != nil || !first.isEmpty else { return self }
        return BodyContent(
            source: LimitedSource(limit, announced: expectedLength, first: first, upstream: source),
            expectedLength: expectedLength, trailers: trailers)
    }
}
