import SockeyeCore
import SockeyePlatform
import Synchronization

/// The event loop of an ``EpollPoller``: the kernel's readiness queue, a slot map of wait points, a run queue.
///
/// Locks are held for bookkeeping only; continuations are resumed and jobs run outside of them.
final class EpollLoop: Sendable {
    let time: TimeSource
    private let queue: ReadinessQueue
    private let registry = Mutex(WaitRegistry())
    private let runQueue = Mutex(RunQueue())
    private let resumer = BatchResumer()
    /// The thread, once it runs; 0 before, which is no thread.
    private let thread = Atomic<UInt>(0)
    /// Set once, in `start`: the registration with a clock that is moved by hand.
    private let clockObserver = Mutex<Int?>(nil)

    private static let batch = 256
    /// How many milliseconds a batch may wait for the resumer.
    private static let batchTimeout: Int32 = 1

    init(time: TimeSource) throws(TransportError) {
        do {
            queue = try ReadinessQueue()
        } catch {
            switch error {
            case .queue(let error): throw .failed(.epollCreate, error)
            case .wakeup(let error): throw .failed(.eventfd, error)
            case .watching(let error): throw .failed(.epollControl, error)
            }
        }
        self.time = time
    }

    // MARK: Called from any thread

    var isCurrentThread: Bool { thread.load(ordering: .relaxed) == SystemThread.current }

    func register(
        _ descriptor: Int32?, _ make: (WaitToken) -> WaitPoint
    ) throws(TransportError) -> WaitPoint {
        let token = registry.withLock { $0.reserve() }
        let point = make(token)
        registry.withLock { $0.fill(token, with: point) }
        guard let descriptor else { return point }
        if let error = queue.watch(descriptor, token: token.packed) {
            point.close()
            throw .failed(.epollControl, error)
        }
        return point
    }

    /// The descriptor leaves the kernel's set when it is closed, which saves a system call per connection.
    func retire(_ token: WaitToken, armed: Bool) {
        let removed = registry.withLock { $0.remove(token) }
        if armed {
            runQueue.withLock { runQueue in
                runQueue.timerBecameStale { token in registry.withLock { $0.point(token) != nil } }
            }
        }
        withExtendedLifetime(removed) {}
    }

    func arm(_ token: WaitToken, at time: MonotonicTime) {
        if runQueue.withLock({ $0.add(RunQueue.Timer(time: time, token: token)) }) { wake() }
    }

    func enqueue(_ job: UnownedJob) {
        if runQueue.withLock({ $0.add(job) }) { wake() }
    }

    /// Wakes the thread before it can see that it is to end: afterwards the descriptor may be in use again elsewhere.
    func stop() {
        runQueue.withLock { runQueue in
            runQueue.isStopped = true
            wake()
        }
    }

    /// The lock keeps the descriptor from being closed, and reused, under the write.
    private func clockMoved() {
        runQueue.withLock { runQueue in
            if !runQueue.isStopped { wake() }
        }
    }

    private func wake() {
        queue.wake()
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
        let events = ReadinessEvents(capacity: Self.batch)
        thread.store(SystemThread.current, ordering: .relaxed)
        var points: [(WaitPoint, Interest)] = []
        var batch: [Resumption] = []
        var jobs: [UnownedJob] = []
        while true {
            var (timeout, stopped) = plan(taking: &jobs)
            if !jobs.isEmpty {
                unsafe run(&jobs, on: executor)
                // Most often no job is left and the thread can sleep; else it only polls its descriptors in between.
                (timeout, stopped) = plan(taking: &jobs)
            }
            if stopped && jobs.isEmpty { break }
            if resumer.isPending, timeout < 0 || timeout > Self.batchTimeout { timeout = Self.batchTimeout }
            let count = queue.wait(events, milliseconds: timeout)
            let due = runQueue.withLock { $0.wakeUp(at: { time.now }) }
            let isOverdue = resumer.takeBack(&batch)
            // Before the edges: a deadline that has passed goes before what came after it.
            if !due.isEmpty { fire(due) }
            if count > 0 { collect(events, count, &points, &batch) }
            resume(&batch, isOverdue: isOverdue)
            if !jobs.isEmpty {
                unsafe run(&jobs, on: executor)
            } else if count > 0, !runQueue.withLock({ $0.hasJobs }) {
                // Yields the core to the tasks that were woken, and lets more edges gather before the next wait: with 64
                // connections on two cores a fifth more requests for a sixth less CPU each, with one connection no
                // difference. Where the tasks run on this thread, that happens anyway.
                SystemThread.yield()
            }
        }
        closeDescriptors()
    }

    private func run(_ jobs: inout [UnownedJob], on executor: UnownedTaskExecutor) {
        for job in jobs { unsafe job.runSynchronously(on: executor) }
        jobs.removeAll(keepingCapacity: true)
    }

    /// Takes the jobs that are waiting; with none, declares the thread asleep and says for how long (milliseconds).
    private func plan(taking jobs: inout [UnownedJob]) -> (timeout: Int32, stopped: Bool) {
        let (next, stopped): (MonotonicTime?, Bool) = runQueue.withLock { runQueue in
            swap(&runQueue.jobs, &jobs)
            if !jobs.isEmpty || runQueue.isStopped { return (.zero, runQueue.isStopped) }
            return (runQueue.fallAsleep(), false)
        }
        guard let next else { return (-1, stopped) }
        if time.manual != nil { return (next <= time.now ? 0 : -1, stopped) }
        if next == .zero { return (0, stopped) }
        let wait = next.nanoseconds - time.now.nanoseconds
        return (wait <= 0 ? 0 : Int32(clamping: (wait + 999_999) / 1_000_000), stopped)
    }

    /// Takes the edges in, resumes those who are waiting for one and must not be batched, and collects the others.
    private func collect(
        _ events: borrowing ReadinessEvents, _ count: Int, _ points: inout [(WaitPoint, Interest)],
        _ batch: inout [Resumption]
    ) {
        registry.withLock { registry in
            for index in 0..<count {
                let event = events[index]
                // 0 is the wake-up: no point has generation 0.
                guard event.token != 0, let point = registry.point(WaitToken(packed: event.token)) else { continue }
                points.append((point, Interest(event)))
            }
        }
        for (point, interest) in points {
            let (reader, writer) = point.ended(by: interest)
            if let reader { pass(reader, &batch) }
            if let writer { pass(writer, &batch) }
        }
        points.removeAll(keepingCapacity: true)
    }

    private func pass(_ wait: Resumption, _ batch: inout [Resumption]) {
        if wait.mayBeBatched { batch.append(wait) } else { wait.resume() }
    }

    /// - Parameter isOverdue: whether the resumer did not come to take those of the last time.
    private func resume(_ waits: inout [Resumption], isOverdue: Bool) {
        if waits.count > 1, !isOverdue { return resumer.resume(&waits) }
        // One is resumed as fast from here, and need not wait for anybody.
        for wait in waits { wait.resume() }
        waits.removeAll(keepingCapacity: true)
    }

    private func fire(_ timers: [RunQueue.Timer]) {
        let now = time.now
        for timer in timers {
            guard let point = registry.withLock({ $0.point(timer.token) }) else {
                runQueue.withLock { $0.staleTimerFired() }
                continue
            }
            if let next = point.timerFired(at: now) { arm(timer.token, at: next) }
        }
    }

    private func closeDescriptors() {
        resumer.stop()
        if let observer = clockObserver.withLock({ $0 }) { time.manual?.removeObserver(observer) }
        queue.close()
    }
}

extension Interest {
    fileprivate init(_ event: ReadinessEvent) {
        self = []
        if event.isReadable { insert(.read) }
        if event.isWritable { insert(.write) }
        if event.hasEnded { insert(.end) }
    }
}

/// The slot map with generations that holds the wait points of a poller. Pure bookkeeping; the loop guards it with a lock.
struct WaitRegistry {
    private struct Entry {
        var generation: UInt32
        var point: WaitPoint?
    }

    private var entries: [Entry] = []
    private var free: [UInt32] = []

    /// Reserves a place. A place gets a new generation each time it is used again.
    mutating func reserve() -> WaitToken {
        if let index = free.popLast() {
            entries[Int(index)].generation &+= 1
            return WaitToken(index: index, generation: entries[Int(index)].generation)
        }
        entries.append(Entry(generation: 1, point: nil))
        return WaitToken(index: UInt32(entries.count - 1), generation: 1)
    }

    mutating func fill(_ token: WaitToken, with point: WaitPoint) {
        entries[Int(token.index)].point = point
    }

    /// Gives the place back and returns who was there, so that the caller can let go of it outside its lock.
    mutating func remove(_ token: WaitToken) -> WaitPoint? {
        guard entries[Int(token.index)].generation == token.generation else { return nil }
        defer { entries[Int(token.index)].point = nil }
        free.append(token.index)
        return entries[Int(token.index)].point
    }

    /// The point that `token` names, unless its place has been given up since.
    func point(_ token: WaitToken) -> WaitPoint? {
        let entry = entries[Int(token.index)]
        return entry.generation == token.generation ? entry.point : nil
    }
}
