import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import Synchronization

/// A body source that decodes the content codings of another source (RFC 9110 8.4).
final class DecodingSource: BodySource {
    private let decoder: ContentDecoder
    private let first: Mutex<Bytes>
    private let upstream: (any BodySource)?
    private let exceeded: (@Sendable () -> SockeyeError?)?

    /// - Parameter exceeded: A closure that returns an error once a deadline has passed. Default nil: only the
    ///   deadlines of `upstream` apply.
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
    /// The same content with the size limit of the call, or with the client's if the call has none; see
    /// ``OutgoingRequest/Options/bodyLimit``.
    package func limited(by call: Int?, orClient client: Int?) -> BodyContent {
        guard let limit = call.map(BodyLimit.ofCall) ?? client.map(BodyLimit.ofClient) else { return self }
        guard source != nil || !first.isEmpty else { return self }
        return BodyContent(
            source: LimitedSource(limit, announced: expectedLength, first: first, upstream: source),
            expectedLength: expectedLength, trailers: trailers)
    }
}
