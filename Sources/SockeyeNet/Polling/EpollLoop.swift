import SockeyeCore
import SockeyePlatform
import Synchronization

/// The event loop of an ``EpollPoller``: watched descriptors, a run queue, and a task of the cooperative pool that polls in its
/// place as long as that finds something.
///
/// Locks are held for bookkeeping only; continuations are resumed and jobs run outside of them.
final class EpollLoop: Sendable {
    let time: TimeSource
    private let watched: WatchedDescriptors
    private let runQueue = Mutex(RunQueue())
    private let pollingTask: PollingTask
    /// The thread, once it runs; 0 before, which is no thread.
    private let thread = Atomic<UInt>(0)
    /// Set once, in `start`: the registration with a clock that is moved by hand.
    private let clockObserver = Mutex<Int?>(nil)

    /// The milliseconds after which the thread looks in the task's place: that may be waiting for a busy pool.
    private static let longestParking: Int32 = 1

    init(time: TimeSource) throws(TransportError) {
        watched = try WatchedDescriptors()
        pollingTask = PollingTask(watched: watched)
        self.time = time
    }

    // MARK: Called from any thread

    var isCurrentThread: Bool { thread.load(ordering: .relaxed) == SystemThread.current }

    func register(
        _ descriptor: Int32?, _ make: (WaitToken) -> WaitPoint
    ) throws(TransportError) -> WaitPoint {
        try watched.register(descriptor, make)
    }

    func retire(_ token: WaitToken, armed: Bool) {
        let removed = watched.remove(token)
        if armed {
            runQueue.withLock { runQueue in
                runQueue.timerBecameStale { token in watched.point(token) != nil }
            }
        }
        withExtendedLifetime(removed) {}
    }

    func arm(_ token: WaitToken, at time: MonotonicTime) {
        let sleep = runQueue.withLock { $0.add(RunQueue.Timer(time: time, token: token)) }
        if let sleep { wake(from: sleep) }
    }

    func enqueue(_ job: UnownedJob) {
        let sleep = runQueue.withLock { $0.add(job) }
        if let sleep { wake(from: sleep) }
    }

    /// Wakes the thread before it can see that it is to end: afterwards the descriptor may be in use again elsewhere.
    func stop() {
        runQueue.withLock { runQueue in
            runQueue.isStopped = true
            if let sleep = runQueue.wake() { wake(from: sleep) }
        }
    }

    /// The lock keeps the descriptor from being closed, and reused, under the write.
    private func clockMoved() {
        runQueue.withLock { runQueue in
            if !runQueue.isStopped, let sleep = runQueue.wake() { wake(from: sleep) }
        }
    }

    private func wake(from sleep: RunQueue.Sleep) {
        switch sleep {
        case .polling: watched.wake()
        case .parked: pollingTask.wakeThread()
        }
    }

    // MARK: The thread

    /// Starts the thread, which keeps this object as long as it runs.
    func start(as executor: UnownedTaskExecutor) throws(TransportError) {
        let observer = time.manual?.observe { [weak self] in self?.clockMoved() }
        clockObserver.withLock { $0 = observer }
        let error = SystemThread.start(named: "sockeye-poller") { [self] in unsafe run(as: executor) }
        guard let error else { return }
        closeDescriptors()
        throw .failed(.pthreadCreate, error)
    }

    private func run(as executor: UnownedTaskExecutor) {
        var edges = EdgeBatch()
        var batch: [Resumption] = []
        var jobs: [UnownedJob] = []
        thread.store(SystemThread.current, ordering: .relaxed)
        while true {
            var plan = plan(taking: &jobs)
            if !jobs.isEmpty {
                unsafe run(&jobs, on: executor)
                // Most often no job is left and the thread can sleep; else it only polls its descriptors in between.
                plan = self.plan(taking: &jobs)
            }
            if plan.isStopped && jobs.isEmpty { break }
            let count = sleep(plan, edges, &batch)
            let due = runQueue.withLock { $0.wakeUp(at: { time.now }) }
            // Before the edges: a deadline that has passed goes before what came after it.
            if !due.isEmpty { fire(due) }
            if count > 0 {
                watched.take(&edges, count) { wait in
                    if wait.mayBeBatched { batch.append(wait) } else { wait.resume() }
                }
            }
            let isOver = batch.isEmpty || resume(&batch)
            if !jobs.isEmpty {
                unsafe run(&jobs, on: executor)
            } else if isOver, count > 0, !runQueue.withLock({ $0.hasJobs }) {
                // Yields the core to the task that was woken, whose request then goes out before this thread falls asleep again:
                // over one connection a tenth more requests. Where tasks run on this thread, that happens anyway.
                SystemThread.yield()
            }
        }
        closeDescriptors()
    }

    private func run(_ jobs: inout [UnownedJob], on executor: UnownedTaskExecutor) {
        for job in jobs { unsafe job.runSynchronously(on: executor) }
        jobs.removeAll(keepingCapacity: true)
    }

    private struct Plan {
        /// For how many milliseconds to sleep, -1 for ever.
        var timeout: Int32
        var sleep: RunQueue.Sleep
        var isStopped: Bool
    }

    /// Takes the jobs that are waiting; with none, declares the thread asleep and says where and for how long.
    private func plan(taking jobs: inout [UnownedJob]) -> Plan {
        let sleep: RunQueue.Sleep = pollingTask.isPolling ? .parked : .polling
        let (next, isStopped): (MonotonicTime?, Bool) = runQueue.withLock { runQueue in
            swap(&runQueue.jobs, &jobs)
            if !jobs.isEmpty || runQueue.isStopped { return (.zero, runQueue.isStopped) }
            return (runQueue.fallAsleep(sleep), false)
        }
        return Plan(timeout: timeout(until: next), sleep: sleep, isStopped: isStopped)
    }

    private func timeout(until next: MonotonicTime?) -> Int32 {
        guard let next else { return -1 }
        if time.manual != nil { return next <= time.now ? 0 : -1 }
        if next == .zero { return 0 }
        let wait = next.nanoseconds.subtractingSaturated(time.now.nanoseconds)
        // Up to whole milliseconds: a thread that wakes too early would only sleep again.
        return wait <= 0 ? 0 : Int32(clamping: wait.addingSaturated(999_999) / 1_000_000)
    }

    /// Waits for edges, or for its turn; returns how many came, and adds what the pool has not come for.
    private func sleep(_ plan: Plan, _ edges: borrowing EdgeBatch, _ batch: inout [Resumption]) -> Int {
        guard plan.sleep == .parked, plan.timeout != 0 else {
            return watched.wait(for: edges, milliseconds: plan.timeout)
        }
        let timeout = plan.timeout < 0 ? Self.longestParking : min(plan.timeout, Self.longestParking)
        guard pollingTask.park(milliseconds: timeout, takingBack: &batch) else { return 0 }
        return watched.wait(for: edges, milliseconds: 0)
    }

    /// Has them resumed where they will run, unless the pool has its turn and is late; true if that was done here.
    private func resume(_ waits: inout [Resumption]) -> Bool {
        // One is resumed as fast from here, and need not wait for anybody.
        if waits.count > 1, pollingTask.handOver(&waits) { return false }
        for wait in waits { wait.resume() }
        waits.removeAll(keepingCapacity: true)
        return true
    }

    private func fire(_ timers: [RunQueue.Timer]) {
        let now = time.now
        for timer in timers {
            guard let point = watched.point(timer.token) else {
                runQueue.withLock { $0.staleTimerFired() }
                continue
            }
            if let next = point.timerFired(at: now) { arm(timer.token, at: next) }
        }
    }

    private func closeDescriptors() {
        pollingTask.stop()
        if let observer = clockObserver.withLock({ $0 }) { time.manual?.removeObserver(observer) }
        watched.close()
    }
}
