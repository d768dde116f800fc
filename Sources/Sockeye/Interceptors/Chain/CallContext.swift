package import SockeyeCore
import SockeyeTransport
import Synchronization

/// What all interceptors of one call share.
package final class CallContext: Sendable {
    private struct State {
        var attemptStarted: MonotonicTime
        var history: [PriorExchange] = []
    }

    private let clock: CallClock
    package let started: MonotonicTime
    /// When the whole call has to be over, redirects, retries and pauses included.
    package let deadline: MonotonicTime
    private let total: Duration?
    private let state: Mutex<State>

    /// - Parameter started: Nil: now.
    init(_ clock: CallClock, started: MonotonicTime? = nil, total: Duration?) {
        let started = started ?? clock.time.now
        self.clock = clock
        self.total = total
        self.started = started
        deadline = started.deadline(after: total)
        state = Mutex(State(attemptStarted: started))
    }

    package var time: TimeSource { clock.time }

    /// The request with the deadline of the call, which all its exchanges share.
    func bounded(_ request: Request) -> Request {
        guard deadline != .distantFuture else { return request }
        var request = request
        request.change { $0.options.deadline = deadline }
        return request
    }

    // MARK: History

    func attemptBegins() {
        let now = time.now
        state.withLock { $0.attemptStarted = now }
    }

    package var history: [PriorExchange] { state.withLock(\.history) }

    func record(_ request: Request, _ outcome: Result<Response, SockeyeError>, reason: PriorExchange.Reason) {
        let now = time.now
        state.withLock { state in
            state.history.append(
                PriorExchange(
                    request, outcome, reason: reason, start: state.attemptStarted.since(started),
                    duration: now.since(state.attemptStarted)))
        }
    }

    /// The outcome of the call, with what came before it.
    func withHistory(_ outcome: Result<Response, SockeyeError>) throws(SockeyeError) -> Response {
        let history = history
        switch outcome {
        case .success(let response): return history.isEmpty ? response : response.with(history: history)
        case .failure(let error):
            throw history.isEmpty || !error.history.isEmpty ? error : error.with { $0.history = history }
        }
    }

    // MARK: Waiting

    func sleep(for duration: Duration) async throws(SockeyeError) {
        let end = time.now.advanced(by: duration)
        guard end < deadline else { throw .timeout(.prepare, configured: total, name: "total") }
        do throws(TransportError) {
            try await clock.sleep(until: end)
        } catch {
            throw SockeyeError(error, phase: .prepare)
        }
    }
}
