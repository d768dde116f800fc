import SockeyeCore
import SockeyeNet

/// A run queue with timers a microsecond apart, and a simulated clock.
struct SampleTimers {
    private var runQueue = RunQueue()
    private let period: Int64
    private var now: Int64 = 0
    /// Tokens up to this one belong to existing points; the others are abandoned.
    private let live: UInt32
    private var last: UInt32

    init(count: Int) {
        period = Int64(count) * 1000
        live = UInt32(count)
        last = live
        for number in 1...live {
            _ = runQueue.add(RunQueue.Timer(time: time(Int64(number) * 1000), token: token(number)))
        }
    }

    /// Advances the clock to the next timer, takes it and sets it for a period later.
    /// - Returns: The number of due timers.
    mutating func fireAndReset() -> Int {
        guard let next = runQueue.fallAsleep() else { return 0 }
        now = next.nanoseconds
        let due = runQueue.wakeUp { next }
        for timer in due { _ = runQueue.add(RunQueue.Timer(time: time(now + period), token: timer.token)) }
        return due.count
    }

    /// Sets a timer of a new point, and abandons the point.
    /// - Returns: True if the thread had to be woken.
    mutating func setAndAbandon() -> Bool {
        last += 1
        let wakes = runQueue.add(RunQueue.Timer(time: time(now + period), token: token(last)))
        let live = live
        runQueue.timersBecameStale(1) { $0.slot <= live }
        return wakes != nil
    }

    private func time(_ nanoseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: nanoseconds) }
    private func token(_ slot: UInt32) -> WaitToken { WaitToken(slot: slot, serial: 1) }
}
