import SockeyeCore
package import SockeyeEngine
import SockeyeNet
import Synchronization

/// The tasks of a client that do not belong to one call, such as refreshes of stored responses. Each has a deadline,
/// and all are cancelled when the client ends.
package final class BackgroundWork: Sendable {
    private struct State {
        var tasks: [Int: Work] = [:]
        var lastID = 0
        var hasEnded = false
        /// True once a graceful shutdown has begun.
        var isEnding = false
    }

    private struct Work {
        let task: Task<Void, Never>
        let isAwaited: Bool
    }

    private let state = Mutex(State())
    /// The number of calls that a policy has suspended, for example until a retry, or that an asynchronous interceptor
    /// may suspend at any time. A graceful shutdown waits for these calls.
    package let suspendedCalls = SuspendedCalls()

    package init() {}

    /// Counts a call that began at `started` as suspended. Returns ``suspendedCalls``, to which the caller reports the
    /// end of the suspension.
    ///
    /// Returns nil if a graceful shutdown began before the call. The transport refuses such a call, so the shutdown
    /// does not wait for it.
    func beginSuspension(since started: MonotonicTime?, over transport: SocketTransport?) -> SuspendedCalls? {
        if let started, let transport, !transport.admits(started) { return nil }
        suspendedCalls.begin()
        return suspendedCalls
    }

    /// The number of tasks that have not ended; 0 after ``end()``.
    package var count: Int { state.withLock(\.tasks.count) }

    /// The reason for the end of the work: it returned, it exceeded its limit, or it was cancelled, usually because the
    /// client ended.
    package enum Ending: Sendable {
        case finished, timedOut, clientEnded
    }

    /// Starts work in a new task.
    ///
    /// - Parameters:
    ///   - limit: The time after which the work is cancelled. If it is zero or less, the work does not begin.
    ///   - isAwaited: True if calls wait for the work, such as the fetch of a token. A graceful shutdown lets such work
    ///     run, and cancels all other work when the shutdown begins.
    ///   - ended: Called once, when the work ends or is cancelled, even if the work ignores the cancellation and
    ///     continues. Called immediately, with `clientEnded`, if this method returns nil.
    /// - Returns: The task; nil if the client has ended, or is shutting down and `isAwaited` is false.
    @discardableResult
    package func start(
        within limit: Duration, by clock: CallClock, isAwaited: Bool, work: @escaping @Sendable () async -> Void,
        ended: @escaping @Sendable (Ending) -> Void
    ) -> Task<Void, Never>? {
        let task = state.withLock { state -> Task<Void, Never>? in
            guard !state.hasEnded, isAwaited || !state.isEnding else { return nil }
            state.lastID += 1
            let id = state.lastID
            let task = Task {
                let ending = await Self.run(within: limit, by: clock, work)
                ended(ending)
                self.state.withLock { $0.tasks[id] = nil }
            }
            state.tasks[id] = Work(task: task, isAwaited: isAwaited)
            return task
        }
        if task == nil { ended(.clientEnded) }
        return task
    }

    private static func run(
        within limit: Duration, by clock: CallClock, _ work: @escaping @Sendable () async -> Void
    ) async -> Ending {
        // Work without time left is not begun, because it could send a request before it notices the cancellation.
        guard limit > .zero else { return .timedOut }
        do throws(TransportError) {
            let poller = try clock.poller()
            let deadline = poller.time.now.advanced(by: limit)
            _ = try await DeadlineRunner(deadline: deadline, poller: poller).run { await work() }
            return .finished
        } catch {
            // If no file descriptor is left for a timer, the work does not run. That is reported as a time-out.
            return error == .cancelled ? .clientEnded : .timedOut
        }
    }

    /// Cancels all tasks. No further task can be started.
    package func end() {
        let tasks = state.withLock { state in
            state.hasEnded = true
            defer { state.tasks = [:] }
            return state.tasks.values
        }
        for work in tasks { work.task.cancel() }
    }

    /// Cancels the tasks that no call waits for. No further task of this kind can be started.
    package func endUnawaited() {
        let tasks = state.withLock { state in
            state.isEnding = true
            return state.tasks.values.filter { !$0.isAwaited }
        }
        for work in tasks { work.task.cancel() }
    }
}

/// Ends a client's background work when the last copy of the client is released. Calls and background work do not
/// retain this object.
package final class ClientLifetime: Sendable {
    private let background: BackgroundWork

    package init(of background: BackgroundWork) {
        self.background = background
    }

    deinit {
        background.end()
    }
}
