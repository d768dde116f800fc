import HeapModule
package import SockeyeCore

/// The run queue of a poller's thread: jobs in order of arrival, and a heap of timers. Pure bookkeeping.
package struct RunQueue {
    package struct Timer: Comparable {
        package let time: MonotonicTime
        package let token: WaitToken

        package init(time: MonotonicTime, token: WaitToken) {
            self.time = time
            self.token = token
        }

        package static func < (left: Timer, right: Timer) -> Bool { left.time < right.time }
    }

    /// Where the thread sleeps: in `epoll_wait`, or until it is its turn to poll (``PollingTask``).
    package enum Sleep: Sendable { case polling, parked }

    var jobs: [UnownedJob] = []
    private(set) var timers = Heap<Timer>()
    /// Entries in the heap whose point is gone.
    private var staleTimers = 0
    /// The thread sleeps, or is about to, and will until `wakesAt` unless woken.
    private var sleep: Sleep?
    private var wakesAt = MonotonicTime.distantFuture
    var isStopped = false

    package init() {}

    /// Whether there is something to run before the thread may sleep.
    var hasJobs: Bool { !jobs.isEmpty }

    /// Adds a timer; the sleep from which the thread must be woken for it, if any.
    package mutating func add(_ timer: Timer) -> Sleep? {
        timers.insert(timer)
        return timer.time < wakesAt ? wake() : nil
    }

    mutating func add(_ job: UnownedJob) -> Sleep? {
        jobs.append(job)
        return wake()
    }

    /// Claims the wake-up, so that of many who find the thread asleep only one pays the system call.
    mutating func wake() -> Sleep? {
        defer { sleep = nil }
        return sleep
    }

    /// Declares the thread asleep until the next timer and returns its time.
    package mutating func fallAsleep(_ sleep: Sleep = .polling) -> MonotonicTime? {
        self.sleep = sleep
        wakesAt = timers.min?.time ?? .distantFuture
        return timers.min?.time
    }

    /// Declares the thread awake and takes the timers that are due.
    package mutating func wakeUp(at now: () -> MonotonicTime) -> [Timer] {
        sleep = nil
        guard let first = timers.min else { return [] }
        let time = now()
        guard first.time <= time else { return [] }
        var due: [Timer] = []
        while let next = timers.min, next.time <= time { due.append(timers.removeMin()) }
        return due
    }

    /// A fired timer belonged to a point that was gone.
    mutating func staleTimerFired() {
        staleTimers = max(0, staleTimers - 1)
    }

    /// Notes that a point left its timer behind. When most entries are such, they are swept out: a server that closes
    /// every connection must not leave a minute's worth of them in memory.
    package mutating func timerBecameStale(isLive: (WaitToken) -> Bool) {
        staleTimers += 1
        guard staleTimers > 64, staleTimers * 2 > timers.count else { return }
        timers.removeAll { !isLive($0.token) }
        staleTimers = 0
    }
}
