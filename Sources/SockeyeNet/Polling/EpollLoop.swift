import CSockeyeSystem
import Glibc
import SockeyeCore
import Synchronization

/// The thread's side of an ``EpollPoller``: descriptors in the kernel, points in a registry, jobs and timers in an agenda.
///
/// Locks are held for bookkeeping only; continuations are resumed and jobs run outside of them.
final class EpollLoop: Sendable {
    let time: TimeSource
    private let epoll: Int32
    private let wakeup: Int32
    private let registry = Mutex(WaitRegistry())
    private let agenda = Mutex(Agenda())
    private let relay = Relay()
    /// The thread, once it runs. It is nobody's before, as 0 is no thread.
    private let thread = Atomic<pthread_t>(0)
    /// Set once, in `start`: the registration with a clock that is moved by hand.
    private let clockObserver = Mutex<Int?>(nil)

    /// The token of the descriptor that ends a sleep; no point ever has generation 0. Its counter is never read: every
    /// write to it is a new edge.
    private static let wakeupToken = WaitToken(index: 0, generation: 0)
    private static let batch = 256
    /// How many milliseconds the relay has for coming.
    private static let patience: Int32 = 1

    init(time: TimeSource) throws(TransportError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw .system(call: .epollCreate, errno: errno) }
        wakeup = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeup >= 0 else {
            let code = errno
            Glibc.close(epoll)
            throw .system(call: .eventfd, errno: code)
        }
        self.time = time
        do throws(TransportError) {
            try watch(wakeup, events: EPOLLIN.rawValue, token: Self.wakeupToken)
        } catch {
            closeDescriptors()
            throw error
        }
    }

    private func watch(_ descriptor: Int32, events: UInt32, token: WaitToken) throws(TransportError) {
        var event = unsafe epoll_event(events: events | sockeye_epollet, data: epoll_data_t(u64: token.packed))
        guard unsafe epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            throw .system(call: .epollControl, errno: errno)
        }
    }

    // MARK: Called from any thread

    var isCurrentThread: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    func register(
        _ descriptor: Int32?, _ make: (WaitToken) -> WaitPoint
    ) throws(TransportError) -> WaitPoint {
        let token = registry.withLock { $0.reserve() }
        let point = make(token)
        registry.withLock { $0.fill(token, with: point) }
        guard let descriptor else { return point }
        do throws(TransportError) {
            try watch(descriptor, events: EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue, token: token)
        } catch {
            point.close()
            throw error
        }
        return point
    }

    /// The descriptor leaves the kernel's set when it is closed, which saves a system call per connection.
    func retire(_ token: WaitToken, armed: Bool) {
        let removed = registry.withLock { $0.remove(token) }
        if armed {
            agenda.withLock { agenda in
                agenda.timerBecameStale { token in registry.withLock { $0.point(token) != nil } }
            }
        }
        withExtendedLifetime(removed) {}
    }

    func arm(_ token: WaitToken, at time: MonotonicTime) {
        if agenda.withLock({ $0.add(Agenda.Timer(time: time, token: token)) }) { wake() }
    }

    func enqueue(_ job: UnownedJob) {
        if agenda.withLock({ $0.add(job) }) { wake() }
    }

    /// Wakes the thread before it can see that it is to end: afterwards the descriptor may be somebody else's.
    func stop() {
        agenda.withLock { agenda in
            agenda.isStopped = true
            wake()
        }
    }

    /// The lock keeps the descriptor from being closed, and reused, under the write.
    private func clockMoved() {
        agenda.withLock { agenda in
            if !agenda.isStopped { wake() }
        }
    }

    private func wake() {
        eventfd_write(wakeup, 1)
    }

    // MARK: The thread

    /// Starts the thread, with every signal blocked: signals are the application's business.
    func start(as executor: UnownedTaskExecutor) throws(TransportError) {
        let start = unsafe ThreadStart(loop: self, executor: executor)
        let observer = time.manual?.observe { [weak self] in self?.clockMoved() }
        clockObserver.withLock { $0 = observer }
        var all = sigset_t()
        var previous = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, &previous)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(start)
        let code = unsafe pthread_create(
            &thread, nil,
            { argument in
                let start = unsafe Unmanaged<ThreadStart>.fromOpaque(argument!).takeRetainedValue()
                unsafe sockeye_name_this_thread("sockeye-poller")
                unsafe start.loop.run(as: start.executor)
                return nil
            }, unsafe argument.toOpaque())
        guard code == 0 else {
            unsafe argument.release()
            closeDescriptors()
            throw .system(call: .pthreadCreate, errno: code)
        }
        pthread_detach(thread)
    }

    @safe private final class ThreadStart {
        let loop: EpollLoop
        let executor: UnownedTaskExecutor

        init(loop: EpollLoop, executor: UnownedTaskExecutor) {
            self.loop = loop
            unsafe self.executor = unsafe executor
        }
    }

    private func run(as executor: UnownedTaskExecutor) {
        let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: Self.batch)
        defer { unsafe events.deallocate() }
        thread.store(pthread_self(), ordering: .relaxed)
        var points: [(WaitPoint, Interest)] = []
        var relayed: [EndedWait] = []
        var jobs: [UnownedJob] = []
        while true {
            var (timeout, stopped) = plan(taking: &jobs)
            if !jobs.isEmpty {
                unsafe run(&jobs, on: executor)
                // Most often that was all there is, and the thread can sleep; only if there is more does it just glance
                // at its descriptors in between.
                (timeout, stopped) = plan(taking: &jobs)
            }
            if stopped && jobs.isEmpty { break }
            if relay.isPending, timeout < 0 || timeout > Self.patience { timeout = Self.patience }
            let count = unsafe epoll_wait(epoll, events, Int32(Self.batch), timeout)
            let due = agenda.withLock { $0.wakeUp(at: { time.now }) }
            let isOverdue = relay.takeBack(&relayed)
            // Before the edges: a deadline that has passed goes before what came after it.
            if !due.isEmpty { fire(due) }
            if count > 0 { unsafe collect(UnsafeBufferPointer(start: events, count: Int(count)), &points, &relayed) }
            resume(&relayed, isOverdue: isOverdue)
            if !jobs.isEmpty {
                unsafe run(&jobs, on: executor)
            } else if count > 0, !agenda.withLock({ $0.hasJobs }) {
                // Lets those that were woken have the core, and more edges gather before the next look: with 64
                // connections on two cores a fifth more requests for a sixth less CPU each, with one connection no
                // difference. Where they run on this thread, that happens anyway.
                sched_yield()
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
        let (next, stopped): (MonotonicTime?, Bool) = agenda.withLock { agenda in
            swap(&agenda.jobs, &jobs)
            if !jobs.isEmpty || agenda.isStopped { return (.zero, agenda.isStopped) }
            return (agenda.fallAsleep(), false)
        }
        guard let next else { return (-1, stopped) }
        if time.manual != nil { return (next <= time.now ? 0 : -1, stopped) }
        if next == .zero { return (0, stopped) }
        let wait = next.nanoseconds - time.now.nanoseconds
        return (wait <= 0 ? 0 : Int32(clamping: (wait + 999_999) / 1_000_000), stopped)
    }

    /// Takes the edges in, resumes those who are waiting for one and must not be relayed, and collects the others.
    private func collect(
        _ events: UnsafeBufferPointer<epoll_event>, _ points: inout [(WaitPoint, Interest)],
        _ relayed: inout [EndedWait]
    ) {
        registry.withLock { registry in
            for index in events.indices {
                let event = unsafe events[index]
                let token = unsafe WaitToken(packed: event.data.u64)
                guard token != Self.wakeupToken, let point = registry.point(token) else { continue }
                unsafe points.append((point, Interest(epollEvents: event.events)))
            }
        }
        for (point, interest) in points {
            let (reader, writer) = point.ended(by: interest)
            if let reader { pass(reader, &relayed) }
            if let writer { pass(writer, &relayed) }
        }
        points.removeAll(keepingCapacity: true)
    }

    private func pass(_ wait: EndedWait, _ relayed: inout [EndedWait]) {
        if wait.mayBeRelayed { relayed.append(wait) } else { wait.resume() }
    }

    /// - Parameter isOverdue: whether the relay did not come to take those of the last time.
    private func resume(_ waits: inout [EndedWait], isOverdue: Bool) {
        if waits.count > 1, !isOverdue { return relay.resume(&waits) }
        // One is resumed as fast from here, and need not wait for anybody.
        for wait in waits { wait.resume() }
        waits.removeAll(keepingCapacity: true)
    }

    private func fire(_ timers: [Agenda.Timer]) {
        let now = time.now
        for timer in timers {
            guard let point = registry.withLock({ $0.point(timer.token) }) else {
                agenda.withLock { $0.staleTimerFired() }
                continue
            }
            if let next = point.timerFired(at: now) { arm(timer.token, at: next) }
        }
    }

    private func closeDescriptors() {
        relay.stop()
        if let observer = clockObserver.withLock({ $0 }) { time.manual?.removeObserver(observer) }
        Glibc.close(epoll)
        Glibc.close(wakeup)
    }
}

extension Interest {
    /// A hang-up or an error makes both directions ready: the next call will tell what happened.
    fileprivate init(epollEvents events: UInt32) {
        self = []
        let trouble = EPOLLHUP.rawValue | EPOLLERR.rawValue
        if events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue | trouble) != 0 { insert(.read) }
        if events & (EPOLLOUT.rawValue | trouble) != 0 { insert(.write) }
        if events & (EPOLLRDHUP.rawValue | trouble) != 0 { insert(.end) }
    }
}
