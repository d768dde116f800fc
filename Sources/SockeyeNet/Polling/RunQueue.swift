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

    var jobs: [UnownedJob] = []
    private(set) var timers = Heap<Timer>()
    /// Entries in the heap whose point is gone.
    private var staleTimers = 0
    /// The thread is in, or about to enter, `epoll_wait`, and will stay until `wakesAt` unless woken.
    private var isAsleep = false
    private var wakesAt = MonotonicTime.distantFuture
    var isStopped = false

    package init() {}

    /// Whether there is something to run before the thread may sleep.
    var hasJobs: Bool { !jobs.isEmpty }

    /// Adds a timer; true when the thread must be woken for it.
    package mutating func add(_ timer: Timer) -> Bool {
        timers.insert(timer)
        return wakeIfAsleep(beyond: timer.time)
    }

    mutating func add(_ job: UnownedJob) -> Bool {
        jobs.append(job)
        return wakeIfAsleep(beyond: .zero)
    }

    /// Claims the wake-up, so that of many who find the thread asleep only one pays the system call.
    mutating func wakeIfAsleep(beyond time: MonotonicTime) -> Bool {
        guard isAsleep, time < wakesAt else { return false }
        isAsleep = false
        return true
    }

    /// Declares the thread asleep until the next timer and returns its time.
    package mutating func fallAsleep() -> MonotonicTime? {
        isAsleep = true
        wakesAt = timers.min?.time ?? .distantFuture
        return timers.min?.time
    }

    /// Declares the thread awake and takes the timers that are due.
    package mutating func wakeUp(at now: () -> MonotonicTime) -> [Timer] {
        isAsleep = false
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
