import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import Synchronization

/// A size limit for a body, set by the call or by the client.
struct BodyLimit: Sendable {
    let bytes: Int
    private let isOfCall: Bool

    /// The limit of the client, ``ResponseLimits/bodyBytes``.
    static func ofClient(_ bytes: Int) -> BodyLimit { BodyLimit(bytes: bytes, isOfCall: false) }

    /// The limit of the call, ``OutgoingRequest/Options/bodyLimit``.
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

/// A body source with a size limit. If the announced length exceeds the limit, the first read fails at once. Otherwise
/// the read that exceeds the limit fails.
///
/// A body that is never read, such as that of a redirect, may have any size. The response that a call returns is an
/// exception: the call checks its ``announcedSizeError`` even if the body is never read.
final class LimitedSource: BodySource {
    private struct State {
        var first: Bytes
        var delivered = 0
        /// The piece that exceeded the limit.
        var refused = Bytes()
    }

    let limit: BodyLimit
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

    /// True if the limit applies to decoded content.
    var isAfterDecoding: Bool { upstream is DecodingSource }

    /// The error of a body with an announced length above the limit; nil for every other body.
    var announcedSizeError: SockeyeError? {
        guard let announced, announced > limit.bytes else { return nil }
        return limit.exceeded(seen: announced)
    }

    /// The received start of the body; empty once a part of the body was delivered.
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
