import SockeyeCore
import SockeyePlatform
import Synchronization

/// The event loop of an ``EventPoller``: watched descriptors, a run queue and a ``PollingTask``.
///
/// The polling task runs on the cooperative pool, and polls instead of the loop's thread as long as it finds events. No
/// lock is held while continuations are resumed and jobs run.
final class EventLoop: Sendable {
    let time: TimeSource
    private let watched: WatchedDescriptors
    private let runQueue = Mutex(RunQueue())
    private let pollingTask: PollingTask
    /// The id of the poller's thread. Until the thread runs, it is 0, which is not the id of any thread.
    private let thread = Atomic<UInt>(0)
    /// The registration with a manual clock. Set once, in `start`.
    private let clockObserver = Mutex<Int?>(nil)

    /// The time in ms after which the thread polls although it is the polling task's turn, because a busy pool may not
    /// have run that task.
    private static let parkingLimit: Int32 = 1

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

    func retire(_ token: WaitToken, timers: Int) {
        let removed = watched.remove(token)
        if timers > 0 {
            runQueue.withLock { runQueue in
                runQueue.timersBecameStale(timers) { token in watched.point(token) != nil }
            }
        }
        withExtendedLifetime(removed) {}
    }

    func unwatch(_ descriptor: Int32) {
        watched.unwatch(descriptor)
    }

    func arm(_ token: WaitToken, at time: MonotonicTime) {
        let sleep = runQueue.withLock { $0.add(RunQueue.Timer(time: time, token: token)) }
        if let sleep { wake(from: sleep) }
    }

    func enqueue(_ job: UnownedJob) {
        let sleep = runQueue.withLock { $0.add(job) }
        if let sleep { wake(from: sleep) }
    }

    /// Stops the loop. The wake-up is under the lock, because the thread closes its descriptors as soon as it sees
    /// `isStopped`. A later wake-up could write to another file with the same descriptor number.
    func stop() {
        runQueue.withLock { runQueue in
            runQueue.isStopped = true
            if let sleep = runQueue.wake() { wake(from: sleep) }
        }
    }

    /// Wakes the thread after a manual clock has moved; under the lock, for the same reason as in `stop`.
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

    /// Starts the thread, which retains this object as long as it runs.
    func start(as executor: UnownedTaskExecutor) throws(TransportError) {
        let observer = time.manual?.observe { [weak self] in self?.clockMoved() }
        clockObserver.withLock { $0 = observer }
        let error = SystemThread.start(named: "sockeye-poller") { [self] in unsafe run(as: executor) }
        guard let error else { return }
        closeDescriptors()
        throw .failed(.threadCreate, error)
    }

    private func run(as executor: UnownedTaskExecutor) {
        var edges = EdgeBatch()
        var batch: [Resumption] = []
        var jobs: [UnownedJob] = []
        thread.store(SystemThread.current, ordering: .relaxed)
        while true {
            var plan = sleepPlan(taking: &jobs)
            if !jobs.isEmpty {
                unsafe run(&jobs, on: executor)
                // If these jobs enqueued others, the thread polls without waiting for events, then runs the others.
                plan = self.sleepPlan(taking: &jobs)
            }
            if plan.isStopped && jobs.isEmpty { break }
            let count = sleep(plan, edges, &batch)
            let due = runQueue.withLock { $0.wakeUp(at: { time.now }) }
            // Timers fire before edges are reported: a passed deadline takes precedence over the awaited event.
            if !due.isEmpty { fire(due) }
            if count > 0 {
                watched.take(&edges, count) { wait in
                    if wait.mayResumeInPool { batch.append(wait) } else { wait.resume() }
                }
            }
            let areResumed = batch.isEmpty || resume(&batch)
            if !jobs.isEmpty {
                unsafe run(&jobs, on: executor)
            } else if areResumed, count > 0, !runQueue.withLock({ $0.hasJobs }) {
                // Yields the core to the resumed task, so that it sends its request before this thread sleeps again. In
                // a measurement over one connection, this gave 10 % more requests.
                SystemThread.yield()
            }
        }
        closeDescriptors()
    }

    private func run(_ jobs: inout [UnownedJob], on executor: UnownedTaskExecutor) {
        for job in jobs { unsafe job.runSynchronously(on: executor) }
        jobs.removeAll(keepingCapacity: true)
    }

    private struct SleepPlan {
        /// The time to sleep in ms; -1 waits indefinitely.
        var timeout: Int32
        var sleep: RunQueue.Sleep
        var isStopped: Bool
    }

    /// Takes the queued jobs. If there are no jobs, marks the thread as asleep. Returns how and how long to sleep.
    private func sleepPlan(taking jobs: inout [UnownedJob]) -> SleepPlan {
        let sleep: RunQueue.Sleep = pollingTask.isPolling ? .parked : .polling
        let (next, isStopped): (MonotonicTime?, Bool) = runQueue.withLock { runQueue in
            swap(&runQueue.jobs, &jobs)
            if !jobs.isEmpty || runQueue.isStopped { return (.zero, runQueue.isStopped) }
            return (runQueue.fallAsleep(sleep), false)
        }
        return SleepPlan(timeout: timeout(until: next), sleep: sleep, isStopped: isStopped)
    }

    private func timeout(until next: MonotonicTime?) -> Int32 {
        guard let next else { return -1 }
        if time.manual != nil { return next <= time.now ? 0 : -1 }
        if next == .zero { return 0 }
        let wait = next.nanoseconds.subtractingSaturated(time.now.nanoseconds)
        // Rounds up to whole milliseconds: a thread that wakes too early would only sleep again.
        return wait <= 0 ? 0 : Int32(clamping: wait.addingSaturated(999_999) / 1_000_000)
    }

    /// Waits for edges or for the thread's turn to poll. Returns the number of edges. Adds to `batch` the waits that
    /// were handed over to the polling task and that this task has not resumed in time.
    private func sleep(_ plan: SleepPlan, _ edges: borrowing EdgeBatch, _ batch: inout [Resumption]) -> Int {
        guard plan.sleep == .parked, plan.timeout != 0 else {
            return watched.wait(for: edges, milliseconds: plan.timeout)
        }
        let timeout = plan.timeout < 0 ? Self.parkingLimit : min(plan.timeout, Self.parkingLimit)
        guard pollingTask.park(milliseconds: timeout, takingBack: &batch) else { return 0 }
        return watched.wait(for: edges, milliseconds: 0)
    }

    /// Hands the waits and the turn to poll over to the polling task, and returns false. If there is only one wait, or
    /// if that task already has the turn, resumes the waits here and returns true.
    private func resume(_ waits: inout [Resumption]) -> Bool {
        // Resuming a single wait here is as fast, and does not depend on a free thread of the pool.
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
