import HTTPTypes
import SockeyeCore
import Synchronization

/// How large a body may become, and who says so.
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
            message: "the body is larger than the \(isOfCall ? "call" : "client") accepts")
        fields.limit = .init(
            isOfCall ? "bodyLimit" : "bodyBytes", configured: "\(bytes) bytes", seen: "\(seen) bytes")
        return SockeyeError(fields)
    }
}

/// Ends a body that is announced larger than the limit before it is read, and one that grows beyond it then.
///
/// It throws only when it is read: what becomes of a body that nobody wants, as that of a redirect, is no matter of limits.
/// A call looks for itself whether it ends with a body that is announced too large.
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

    /// - Parameter announced: The length that the head tells; nil where it does not.
    init(_ limit: BodyLimit, announced: Int?, first: Bytes, upstream: (any BodySource)?) {
        self.limit = limit
        self.announced = announced
        state = Mutex(State(first: first))
        self.upstream = upstream
    }

    var trailers: HTTPFields? { upstream?.trailers }

    /// The error of a body that is announced too large.
    var excess: SockeyeError? {
        guard let announced, announced > limit.bytes else { return nil }
        return limit.exceeded(seen: announced)
    }

    /// The start of the body as far as it is here, unless some of it was handed out.
    var start: Bytes {
        state.withLock { state in
            guard state.delivered == 0 else { return Bytes() }
            return state.first.isEmpty ? state.refused : state.first
        }
    }

    func next() async throws(SockeyeError) -> Bytes? {
        if let excess { throw excess }
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
