import HTTPTypes
import SockeyeCore
import SockeyeEngine
import SockeyeNet
import Synchronization

/// One body for several readers, each at its own pace: a buffer of pieces that not all of them have had.
///
/// Whoever has had all of it asks for the next piece, which comes by a task that belongs to nobody. Pieces are kept until the
/// slowest reader has had them; at ``limit`` bytes the fastest waits for it. A reader that goes away holds nobody up, and with
/// the last one the exchange ends.
final class SharedBody: Sendable {
    private typealias Change = InFlightOperation<Void, Never>

    private struct State {
        var pieces: [Bytes] = []
        /// How many pieces were dropped from the front.
        var dropped = 0
        /// Bytes of the pieces.
        var held = 0
        var end: Result<Void, SockeyeError>?
        var trailers: HTTPFields?
        /// The next piece of each reader.
        var positions: [Int: Int] = [:]
        var response: IncomingResponse?
        var pull: Task<Void, Never>?
        /// Finished, and replaced by another, when there is something new.
        var change = Change()
    }

    private enum Step {
        case piece(Bytes)
        case end(Result<Void, SockeyeError>)
        case wait(Change)
    }

    /// Bytes that are kept for the slowest reader: 1 MiB.
    static let limit = 1 << 20

    private let state: Mutex<State>

    /// - Parameter readers: How many there will be, counted from 0. Each ends by a ``reader(_:in:)`` that is let go of, or
    ///   by ``leave(_:)``.
    init(of response: IncomingResponse, readers: Int) {
        _ = response.head.reader.begin()
        var state = State()
        for id in 0..<readers { state.positions[id] = 0 }
        state.response = response
        self.state = Mutex(state)
    }

    /// Begins to read as one of them.
    func reader(_ id: Int, in context: CallContext) -> any BodySource {
        Reader(body: self, id: id, context: context)
    }

    private func next(_ id: Int, _ reader: Reader) async throws(SockeyeError) -> Bytes? {
        while true {
            let (step, old): (Step, Change?) = state.withLock { state in find(id, &state) }
            old?.finish(.success(()))
            switch step {
            case .piece(let piece): return piece
            case .end(let result):
                try result.get()
                return nil
            case .wait(let change):
                do throws(TransportError) {
                    _ = try await change.outcome(until: reader.context.deadline, poller: reader.context.poller())
                } catch {
                    throw error == .timedOut
                        ? reader.context.timedOut(in: .body) : SockeyeError(error, phase: .body)
                }
            }
        }
    }

    /// What a reader finds, and whom to wake.
    private func find(_ id: Int, _ state: inout State) -> (Step, Change?) {
        let position = state.positions[id] ?? state.dropped
        let index = position - state.dropped
        if index < state.pieces.count {
            let piece = state.pieces[index]
            state.positions[id] = position + 1
            return (.piece(piece), Self.trim(&state))
        }
        if let end = state.end { return (.end(end), nil) }
        if state.pull == nil, state.held < Self.limit, let response = state.response {
            state.pull = Task { await self.pull(response) }
        }
        return (.wait(state.change), nil)
    }

    /// Drops what all have had. Returns whom to wake where there is room again.
    private static func trim(_ state: inout State) -> Change? {
        let wasFull = state.held >= limit
        let slowest = state.positions.values.min() ?? state.dropped + state.pieces.count
        let count = slowest - state.dropped
        guard count > 0 else { return nil }
        state.held -= state.pieces[..<count].reduce(0) { $0 + $1.count }
        state.pieces.removeFirst(count)
        state.dropped = slowest
        return wasFull && state.held < limit ? renew(&state) : nil
    }

    private static func renew(_ state: inout State) -> Change {
        let old = state.change
        state.change = Change()
        return old
    }

    private func pull(_ response: IncomingResponse) async {
        let result: Result<Bytes?, SockeyeError>
        do throws(SockeyeError) {
            result = .success(try await response.head.reader.next())
        } catch {
            result = .failure(error)
        }
        let trailers = response.trailers
        let change = state.withLock { state in
            state.pull = nil
            switch result {
            case .success(let piece?):
                state.pieces.append(piece)
                state.held += piece.count
            case .success(nil):
                state.end = .success(())
                state.trailers = trailers
            case .failure(let error): state.end = .failure(error)
            }
            if state.end != nil { state.response = nil }
            return Self.renew(&state)
        }
        change.finish(.success(()))
    }

    func leave(_ id: Int) {
        let (change, pull, response) = state.withLock { state -> (Change?, Task<Void, Never>?, IncomingResponse?) in
            state.positions[id] = nil
            guard state.positions.isEmpty else { return (Self.trim(&state), nil, nil) }
            defer { (state.pull, state.response) = (nil, nil) }
            return (nil, state.pull, state.response)
        }
        change?.finish(.success(()))
        pull?.cancel()
        // What is in its hands is let go of outside the lock.
        withExtendedLifetime(response) {}
    }

    private final class Reader: BodySource {
        private let body: SharedBody
        private let id: Int
        let context: CallContext

        init(body: SharedBody, id: Int, context: CallContext) {
            self.body = body
            self.id = id
            self.context = context
        }

        deinit { body.leave(id) }

        var trailers: HTTPFields? { body.state.withLock(\.trailers) }

        func next() async throws(SockeyeError) -> Bytes? {
            try await body.next(id, self)
        }
    }
}
