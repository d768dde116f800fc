import HTTPTypes
import SockeyeCore
import Synchronization

/// Ends a body that grows beyond the client's limit.
final class LimitedSource: BodySource {
    private struct State {
        var first: Bytes
        var delivered = 0
    }

    private let limit: Int
    private let state: Mutex<State>
    private let upstream: (any BodySource)?

    init(limit: Int, first: Bytes, upstream: (any BodySource)?) {
        self.limit = limit
        state = Mutex(State(first: first))
        self.upstream = upstream
    }

    var trailers: HTTPFields? { upstream?.trailers }

    func next() async throws(SockeyeError) -> Bytes? {
        let first = state.withLock { state in
            defer { state.first = Bytes() }
            return state.first
        }
        guard let piece = first.isEmpty ? try await upstream?.next() : first else { return nil }
        let delivered = state.withLock { state in
            state.delivered += piece.count
            return state.delivered
        }
        guard delivered <= limit else { throw Self.exceeded(limit, seen: delivered) }
        return piece
    }

    static func exceeded(_ limit: Int, seen: Int) -> SockeyeError {
        var fields = SockeyeError.Fields(
            .limitExceeded, phase: .body, blame: .policy, message: "the body is larger than the client accepts")
        fields.limit = .init("bodyBytes", configured: "\(limit) bytes", seen: "\(seen) bytes")
        return SockeyeError(fields)
    }
}
