import SockeyeCore
import Synchronization

/// One look-up that is under way, and everybody who waits for it.
final class Flight: Sendable {
    typealias Outcome = Result<[SocketAddress], ResolveError>

    private struct State {
        var outcome: Outcome?
        var sleepers: [Sleeper] = []
        var task: Task<Void, Never>?
        var isAbandoned = false
    }

    private let state = Mutex(State())

    /// Waits for the end of the look-up, the deadline or cancellation, whichever comes first.
    func outcome(until deadline: MonotonicTime, poller: any Poller) async throws(ResolveError) -> [SocketAddress] {
        let sleeper = try makeSleeper(poller)
        let early = state.withLock { state in
            if state.outcome == nil { state.sleepers.append(sleeper) }
            return state.outcome
        }
        if let early { return try early.get() }
        let wake = await sleeper.sleep(until: deadline)
        let outcome = state.withLock { state in
            state.sleepers.removeAll { $0 === sleeper }
            return state.outcome
        }
        switch wake {
        case .cancelled, .closed: throw .cancelled
        case .timedOut: throw .timedOut
        case .ready:
            guard let outcome else { throw .cancelled }
            return try outcome.get()
        }
    }

    private func makeSleeper(_ poller: any Poller) throws(ResolveError) -> Sleeper {
        do throws(TransportError) {
            return try Sleeper(poller: poller)
        } catch {
            throw .custom(error)
        }
    }

    /// Wakes everybody.
    func finish(_ outcome: Outcome) {
        let sleepers = state.withLock { state in
            defer { state.sleepers = [] }
            state.outcome = outcome
            state.task = nil
            return state.sleepers
        }
        for sleeper in sleepers { sleeper.signal() }
    }

    /// Remembers who does the work, so that a look-up that hangs can be cancelled when another one takes its place.
    func carriedOut(by task: Task<Void, Never>) {
        let isAbandoned = state.withLock { state in
            if state.outcome == nil { state.task = task }
            return state.isAbandoned
        }
        if isAbandoned { task.cancel() }
    }

    func abandon() {
        let task = state.withLock { state in
            state.isAbandoned = true
            return state.task
        }
        task?.cancel()
    }
}
