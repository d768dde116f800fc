import SockeyeCore
import Testing

@testable import SockeyeNet

/// The timers of a wait point, tested without a poller.
@Suite("The timers of a wait point", .timeLimit(.minutes(1)))
struct ScheduledTimersTests {
    /// A wait point with at most one waiter, and the timer heap of its poller.
    private struct Point {
        private var timers = ScheduledTimers()
        private(set) var heap = MinHeap<MonotonicTime>()
        private(set) var now = MonotonicTime.zero
        /// The deadline of the waiter; the distant future if nothing waits.
        private(set) var deadline = MonotonicTime.distantFuture

        /// Begins a wait. An earlier wait counts as ended by readiness.
        mutating func wait(_ milliseconds: Int) {
            deadline = now.advanced(by: .milliseconds(milliseconds))
            if timers.mustSchedule(deadline) { heap.insert(deadline) }
        }

        /// Lets time pass and fires the timers that are due. Returns true if the wait ended at its deadline.
        mutating func advance(_ milliseconds: Int) -> Bool {
            now = now.advanced(by: .milliseconds(milliseconds))
            var isTimedOut = false
            while let timer = heap.min, timer <= now {
                _ = heap.popMin()
                guard timers.isDue(at: now) else { continue }
                if deadline <= now {
                    isTimedOut = true
                    deadline = .distantFuture
                }
                if let next = timers.restart(at: now, for: deadline) { heap.insert(next) }
            }
            return isTimedOut
        }
    }

    @Test("a stream that alternates between short and long waits has at most two timers")
    func alternation() {
        var point = Point()
        var most = 0
        for _ in 0..<20_000 {
            point.wait(60_000)
            point.wait(8)
            most = max(most, point.heap.count)
            let isTimedOut = point.advance(8)
            #expect(isTimedOut)
        }
        #expect(most == 2)
    }

    @Test("every wait ends at its deadline, whatever the deadlines of earlier waits")
    func deadlines() {
        var point = Point()
        for _ in 0..<100_000 {
            if Bool.random() { point.wait(Int.random(in: 1...(Bool.random() ? 10 : 1000))) }
            let deadline = point.deadline
            let isTimedOut = point.advance(Int.random(in: 0...20))
            guard isTimedOut == (deadline <= point.now) else {
                Issue.record("the deadline was \(deadline), the time is \(point.now)")
                return
            }
        }
    }
}
