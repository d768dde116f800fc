package import SockeyeCore

/// The run queue of a poller's thread: jobs of the tasks that run on the thread, in order of arrival, and a heap of
/// timers. A value without I/O.
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

    /// The way in which the thread sleeps: `polling` in the kernel's readiness queue (epoll or kqueue), or `parked` on
    /// a semaphore while the ``PollingTask`` polls instead.
    package enum Sleep: Sendable { case polling, parked }

    var jobs: [UnownedJob] = []
    private(set) var timers = MinHeap<Timer>()
    /// The number of stale timers, which belong to removed wait points. Tasks wait for a descriptor or a timer at a
    /// ``WaitPoint``.
    private var staleTimers = 0
    /// The way in which the thread sleeps, or is about to sleep, until `wakesAt`; nil while it is awake.
    private var sleep: Sleep?
    private var wakesAt = MonotonicTime.distantFuture
    var isStopped = false

    package init() {}

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

    /// Marks the thread as awake. Returns the sleep from which the caller must wake it; nil if it is awake or another
    /// caller wakes it, so that only one of many callers makes the system call.
    mutating func wake() -> Sleep? {
        defer { sleep = nil }
        return sleep
    }

    /// Marks the thread as asleep until the next timer, and returns the timer's time; nil without timers.
    package mutating func fallAsleep(_ sleep: Sleep = .polling) -> MonotonicTime? {
        self.sleep = sleep
        wakesAt = timers.min?.time ?? .distantFuture
        return timers.min?.time
    }

    /// Marks the thread as awake, and removes and returns the timers that are due.
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

    mutating func staleTimerFired() {
        staleTimers = max(0, staleTimers - 1)
    }

    /// Records that a removed wait point has left `count` timers behind.
    ///
    /// If more than 64 timers and more than half of all timers are stale, removes the stale timers. Each would
    /// otherwise stay in the heap until its time, usually a minute later. The heap would then grow with every
    /// connection that a server closes.
    package mutating func timersBecameStale(_ count: Int, isLive: (WaitToken) -> Bool) {
        staleTimers += count
        guard staleTimers > 64, staleTimers * 2 > timers.count else { return }
        timers.removeAll { timer in !isLive(timer.token) }
        staleTimers = 0
    }
}
