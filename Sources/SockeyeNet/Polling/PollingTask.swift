import SockeyePlatform
import Synchronization

/// A task of the cooperative pool that polls in the place of the poller's thread (leader/followers) as long as it finds
/// something: it resumes the tasks whose descriptors are ready, lets them run, and looks for the next ones.
///
/// A thread that polls for a pool on the same core preempts it for each answer, or takes turns with it: two context switches
/// and two system calls a request, which is more than everything else that a client does for it. What the pool finds and gives
/// to itself costs neither, and nobody has to be woken for what arrives meanwhile. With nothing left to find the pool cannot
/// wait, since its threads must not block, and so the thread takes its turn.
///
/// Where the pool has other things to do, the task waits in line like any other. The thread looks in its place each millisecond
/// then, and takes the turn back from a task that does not come at all (``PollingTurn``).
final class PollingTask: Sendable {
    @safe private struct State: ~Copyable {
        var turn = PollingTurn<Resumption>()
        var edges = EdgeBatch()
        /// The task, while it waits for its turn; resumed with whether there will be no more.
        var idle: UnsafeContinuation<Bool, Never>?
        var isStarted = false
        var isStopped = false
    }

    private let state = Mutex(State())
    private let watched: WatchedDescriptors
    /// Where the thread sleeps while it is not its turn.
    private let parking = BinarySemaphore()

    init(watched: WatchedDescriptors) {
        self.watched = watched
    }

    // MARK: Called by the poller's thread

    /// Whether it is the task's turn to poll.
    var isPolling: Bool { state.withLock { $0.turn.isOfPool } }

    /// Has the tasks resumed, takes them out of the list, and leaves the polling to the task; false if that polls already.
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
        // With the priority of most of those that it resumes.
        if isFirst { Task.detached { await self.run() } }
        return isHandedOver
    }

    /// Sleeps until it is the thread's turn, or ``wakeThread()``, for so many milliseconds at most.
    ///
    /// - Parameter waits: To this is added what was handed over to a task that has not come for it.
    /// - Returns: Whether the thread is to look for edges, without waiting for any: nobody else has.
    func park(milliseconds: Int32, takingBack waits: inout [Resumption]) -> Bool {
        guard !parking.wait(milliseconds: milliseconds) else { return false }
        return state.withLock { $0.turn.look(takingBack: &waits) }
    }

    /// Ends the task, and its use of the descriptors.
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
            // Behind those that were resumed.
            await Task.yield()
        }
    }

    /// Looks for those to resume; with none, ends the turn and waits for the next one. False once there are no more.
    private func next(_ waits: inout [Resumption]) async -> Bool {
        while true {
            if poll(&waits) { return true }
            // What others on the core have to do, a server perhaps, may well be the answer.
            SystemThread.yield()
            if poll(&waits) { return true }
            let isStopped = unsafe await withUnsafeContinuation { unsafe endTurn($0) }
            if isStopped { return false }
        }
    }

    /// Takes what was handed over, or else what has become ready; false if there is nothing.
    private func poll(_ waits: inout [Resumption]) -> Bool {
        state.withLock { state in
            guard state.turn.poll(&waits), waits.isEmpty, !state.isStopped else { return }
            let count = watched.wait(for: state.edges, milliseconds: 0)
            if count > 0 { watched.take(&state.edges, count) { waits.append($0) } }
        }
        return !waits.isEmpty
    }

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

/// Whose turn it is to poll: the thread's, which may wait for edges, or the pool's, which may only look whether there are any.
/// Pure bookkeeping.
package struct PollingTurn<Wait> {
    package private(set) var isOfPool = false
    private var handedOver: [Wait] = []
    /// How often the thread has looked since the task did.
    private var looks = 0

    /// The looks after which the thread takes the turn back: a busy pool must not delay what tasks of the thread wait for. Longer
    /// than a thousand connections take for a request each.
    package static var lookLimit: Int { 10 }

    package init() {}

    /// Begins a turn of the pool with what it has to resume first; false if it has one.
    package mutating func handOver(_ waits: inout [Wait]) -> Bool {
        guard !isOfPool else { return false }
        isOfPool = true
        looks = 0
        // The list that was there has room for the next ones.
        swap(&handedOver, &waits)
        return true
    }

    /// The task has come: takes what was handed over into a list that is empty. False if its turn is over.
    package mutating func poll(_ waits: inout [Wait]) -> Bool {
        guard isOfPool else { return false }
        looks = 0
        if !handedOver.isEmpty { swap(&handedOver, &waits) }
        return true
    }

    /// The thread looks in the task's place, and adds what that has not come for; false if the turn is its own.
    package mutating func look(takingBack waits: inout [Wait]) -> Bool {
        guard isOfPool else { return false }
        waits.append(contentsOf: handedOver)
        handedOver.removeAll(keepingCapacity: true)
        looks += 1
        isOfPool = looks < Self.lookLimit
        return true
    }

    /// The task has found nothing; false if something has been handed over since.
    package mutating func end() -> Bool {
        guard handedOver.isEmpty else { return false }
        isOfPool = false
        return true
    }
}
