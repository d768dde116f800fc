package import SockeyeCore
import SockeyePlatform
import Synchronization

/// A task of the cooperative pool that polls instead of the poller's thread (leader/followers) while it finds events.
///
/// It resumes the tasks whose waits for ready descriptors have ended, yields so that they run, and polls again.
///
/// If the poller's thread polled while a thread of the pool ran the tasks on the same core, the two threads would
/// alternate for each response. That costs two context switches and two system calls (to sleep and to wake) per
/// request, more time than all other work of the client. Polling in the pool saves them. If no events are left, the
/// poller's thread takes over and waits, because threads of the pool must not block.
///
/// If the pool is busy, this task has to wait for a thread. Meanwhile the poller's thread polls every millisecond, and
/// takes back the turn to poll if the task has not run during ten such polls (``PollingTurn``).
final class PollingTask: Sendable {
    @safe private struct State: ~Copyable {
        var turn = PollingTurn<Resumption>()
        var edges = EdgeBatch()
        /// The continuation of this task while it waits for its turn; resumed with true if the poller has stopped.
        var idle: UnsafeContinuation<Bool, Never>?
        var isStarted = false
        var isStopped = false
    }

    private let state = Mutex(State())
    private let watched: WatchedDescriptors
    /// The semaphore on which the thread sleeps while the task polls.
    private let parking = BinarySemaphore()

    init(watched: WatchedDescriptors) {
        self.watched = watched
    }

    // MARK: Called by the poller's thread

    /// True if it is the task's turn to poll.
    var isPolling: Bool { state.withLock { $0.turn.isPoolTurn } }

    /// Gives the turn to the task, which resumes `waits` before it polls. Empties `waits`. Returns false, without a
    /// change, if it is already the task's turn.
    func handOver(_ waits: inout [Resumption]) -> Bool {
        var isFirst = false
        var idle: UnsafeContinuation<Bool, Never>?
        let isHandedOver = state.withLock { state in
            guard state.turn.handOver(&waits) else { return false }
            unsafe swap(&idle, &state.idle)
            isFirst = !state.isStarted
            state.isStarted = true
            return true
        }
        unsafe idle?.resume(returning: false)
        // A detached task has the default priority, like most of the tasks that it resumes.
        if isFirst { Task.detached { await self.run() } }
        return isHandedOver
    }

    /// Sleeps until the task ends its turn or ``wakeThread()`` is called, for at most `milliseconds`.
    ///
    /// - Parameter waits: Gets the waits that were handed over and that the task has not resumed.
    /// - Returns: True if the thread must now poll once, without waiting, although the task has not ended its turn.
    ///   This is so after `milliseconds`, or if ``wakeThread()`` ended the sleep and ``PollingTurn/isPollDue(at:)`` is
    ///   true. The second case ensures that frequent calls of ``wakeThread()`` cannot keep the thread from polling.
    func park(milliseconds: Int32, takingBack waits: inout [Resumption]) -> Bool {
        let isSignalled = parking.wait(milliseconds: milliseconds)
        return state.withLock { state in
            if isSignalled, !state.turn.isPollDue(at: TimeSource.system.now) { return false }
            return state.turn.pollFromThread(takingBack: &waits)
        }
    }

    /// Ends the task and its use of the descriptors.
    func stop() {
        let idle = unsafe state.withLock { state in
            state.isStopped = true
            defer { unsafe state.idle = nil }
            return unsafe state.idle
        }
        unsafe idle?.resume(returning: true)
    }

    // MARK: Called from any thread

    func wakeThread() {
        parking.signal()
    }

    // MARK: The task

    private func run() async {
        var waits: [Resumption] = []
        while await next(&waits) {
            for wait in waits { wait.resume() }
            waits.removeAll(keepingCapacity: true)
            // Lets the resumed tasks run first.
            await Task.yield()
        }
    }

    /// Fills `waits` with waits to resume. If it finds no waits, ends the turn and suspends until the next turn.
    /// Returns false after ``stop()``.
    private func next(_ waits: inout [Resumption]) async -> Bool {
        while true {
            if poll(&waits) { return true }
            // Lets another process on this core run, perhaps the server, which may be about to send the response.
            SystemThread.yield()
            if poll(&waits) { return true }
            let isStopped = unsafe await withUnsafeContinuation { unsafe endTurn($0) }
            if isStopped { return false }
        }
    }

    /// Moves the waits that were handed over into `waits`. If no waits were handed over, polls once. Returns false if
    /// `waits` stays empty.
    private func poll(_ waits: inout [Resumption]) -> Bool {
        state.withLock { state in
            guard state.turn.poll(&waits), waits.isEmpty, !state.isStopped else { return }
            let count = watched.wait(for: state.edges, milliseconds: 0)
            if count > 0 { watched.take(&state.edges, count) { waits.append($0) } }
        }
        return !waits.isEmpty
    }

    /// Ends the task's turn and wakes the thread. If waits were handed over meanwhile, or the poller has stopped, the
    /// turn does not end, and the continuation is resumed at once.
    private func endTurn(_ idle: UnsafeContinuation<Bool, Never>) {
        let (isEnded, isStopped) = state.withLock { state in
            guard !state.isStopped, state.turn.end() else { return (false, state.isStopped) }
            unsafe state.idle = unsafe idle
            return (true, false)
        }
        guard !isEnded else { return wakeThread() }
        unsafe idle.resume(returning: isStopped)
    }
}

/// The turn to poll. It belongs either to the poller's thread, which may wait for events, or to the task in the pool,
/// which never waits. A value without I/O.
package struct PollingTurn<Wait> {
    package private(set) var isPoolTurn = false
    private var handedOver: [Wait] = []
    /// The number of times that the thread has polled since the task last did.
    private var threadPolls = 0
    /// The time at which `wakeThread()` first woke the thread since its last poll, or since the turn began.
    private var firstSignal: MonotonicTime?

    /// The number of polls, at least 1 ms apart, after which the thread takes the turn back from a task that has not
    /// polled meanwhile. Without this limit, the thread would poll only once per millisecond as long as the pool is
    /// busy. Tasks that run on the thread, because they prefer the ``Poller`` as their executor, would then get their
    /// events late.
    ///
    /// Between two polls, the polling task lets the tasks that it resumed run. They alone do not exhaust the limit of
    /// at least 10 ms: a thousand of them together need less to make one request each. The limit is reached only if the
    /// pool has other work.
    package static var threadPollLimit: Int { 10 }

    package init() {}

    /// Gives the turn to the task, with the waits that the task resumes first. False if the task already has the turn.
    package mutating func handOver(_ waits: inout [Wait]) -> Bool {
        guard !isPoolTurn else { return false }
        isPoolTurn = true
        threadPolls = 0
        firstSignal = nil
        // Gives the caller the empty list with its capacity.
        swap(&handedOver, &waits)
        return true
    }

    /// Called by the task: moves the waits that were handed over into the empty list `waits`. False if the task's
    /// turn is over.
    package mutating func poll(_ waits: inout [Wait]) -> Bool {
        guard isPoolTurn else { return false }
        threadPolls = 0
        if !handedOver.isEmpty { swap(&handedOver, &waits) }
        return true
    }

    /// Called by the thread when `wakeThread()` has ended its sleep. True if the first such wake-up since the thread's
    /// last poll, or since the turn began, was at least 1 ms ago.
    package mutating func isPollDue(at now: MonotonicTime) -> Bool {
        guard let firstSignal else {
            firstSignal = now
            return false
        }
        return firstSignal.advanced(by: .milliseconds(1)) <= now
    }

    /// Called by the thread while it is the task's turn: takes back waits that the task has not resumed. If this is
    /// call number ``threadPollLimit`` without a poll by the task, also takes the turn from the task. False if the
    /// thread already has the turn.
    package mutating func pollFromThread(takingBack waits: inout [Wait]) -> Bool {
        guard isPoolTurn else { return false }
        waits.append(contentsOf: handedOver)
        handedOver.removeAll(keepingCapacity: true)
        threadPolls += 1
        firstSignal = nil
        isPoolTurn = threadPolls < Self.threadPollLimit
        return true
    }

    /// Ends the task's turn after it found nothing; false if waits have been handed over since.
    package mutating func end() -> Bool {
        guard handedOver.isEmpty else { return false }
        isPoolTurn = false
        return true
    }
}
