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

    /// The place where the thread sleeps: in the readiness queue, or parked until it is its turn to poll
    /// (``PollingTask``).
    package enum Sleep: Sendable { case polling, parked }

    var jobs: [UnownedJob] = []
    private(set) var timers = MinHeap<Timer>()
    /// The number of heap entries that belong to removed wait points.
    private var staleTimers = 0
    /// The place where the thread sleeps or is about to sleep until `wakesAt`; nil while it is awake.
    private var sleep: Sleep?
    private var wakesAt = MonotonicTime.distantFuture
    var isStopped = false

    package init() {}

    /// True if jobs have to run before the thread may sleep.
    var hasJobs: Bool { !jobs.isEmpty }

    /// Adds a timer. Returns the sleep from which the caller must wake the thread, or nil if it need not be woken.
    package mutating func add(_ timer: Timer) -> Sleep? {
        timers.insert(timer)
        return timer.time < wakesAt ? wake() : nil
    }

    mutating func add(_ job: UnownedJob) -> Sleep? {
        jobs.append(job)
        return wake()
    }

    /// Claims the wake-up: of many callers that find the thread asleep only one makes the system call.
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
        while let next = timers.min, next.time <= time {
            due.append(next)
            _ = timers.popMin()
        }
        return due
    }

    /// Notes that a timer of a removed wait point fired.
    mutating func staleTimerFired() {
        staleTimers = max(0, staleTimers - 1)
    }

    /// Notes that a removed point left a timer behind.
    ///
    /// If most entries are stale, they are removed: with a server that closes every connection, a minute's worth of
    /// them would otherwise stay in memory.
    package mutating func timerBecameStale(isLive: (WaitToken) -> Bool) {
        staleTimers += 1
        guard staleTimers > 64, staleTimers * 2 > timers.count else { return }
        timers.removeAll { timer in !isLive(timer.token) }
        staleTimers = 0
    }
}
