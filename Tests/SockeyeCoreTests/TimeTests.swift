import SockeyeCore
import Synchronization
import Testing

@Suite("Monotonic time")
struct MonotonicTimeTests {
    @Test(
        "a time moves by durations, and saturates instead of overflowing",
        arguments: [
            (MonotonicTime(nanoseconds: 5), Duration.nanoseconds(7), MonotonicTime(nanoseconds: 12)),
            (MonotonicTime(nanoseconds: 5), .nanoseconds(-3), MonotonicTime(nanoseconds: 2)),
            (MonotonicTime(nanoseconds: .max - 1), .seconds(1), .distantFuture),
            (MonotonicTime(nanoseconds: 1), .seconds(Int64.max), .distantFuture),
            (.distantFuture, .seconds(-1), .distantFuture),
        ])
    func advancing(start: MonotonicTime, by duration: Duration, expected: MonotonicTime) {
        #expect(start.advanced(by: duration) == expected)
    }

    @Test(
        "a duration is clamped to whole nanoseconds of 64 bits",
        arguments: [
            (Duration.zero, 0), (.nanoseconds(1), 1), (.nanoseconds(-1), -1), (.seconds(60), 60_000_000_000),
            (.milliseconds(-7), -7_000_000), (Duration(attoseconds: 1_999_999_999), 1),
            (Duration(attoseconds: -1_999_999_999), -1), (.nanoseconds(Int64.max), .max),
            (.nanoseconds(Int64.max) + .nanoseconds(1), .max), (.nanoseconds(Int64.min), .min),
            (.nanoseconds(Int64.min + 1), .min + 1), (.nanoseconds(Int64.min) - .nanoseconds(1), .min),
            (.seconds(Int64.max), .max), (.seconds(Int64.min), .min),
        ] as [(Duration, Int64)])
    func nanoseconds(duration: Duration, expected: Int64) {
        #expect(duration.clampedNanoseconds == expected)
    }

    @Test("without a duration there is no deadline")
    func deadlines() {
        #expect(MonotonicTime.zero.deadline(after: nil) == .distantFuture)
        #expect(MonotonicTime.zero.deadline(after: .nanoseconds(3)) == MonotonicTime(nanoseconds: 3))
    }

    @Test("the time since a later moment is zero")
    func since() {
        let (early, late) = (MonotonicTime(nanoseconds: 10), MonotonicTime(nanoseconds: 25))
        #expect(late.since(early) == .nanoseconds(15))
        #expect(early.since(late) == .zero)
    }

    @Test("the system's clock never goes back")
    func system() {
        let first = TimeSource.system.now
        #expect(TimeSource.system.now >= first)
    }

    @Test("a manual clock stands still until it is moved, and notifies its observers")
    func manual() {
        let time = ManualTime()
        let source = TimeSource(manual: time)
        let moves = Atomic(0)
        let start = source.now
        let observer = time.observe { moves.add(1, ordering: .relaxed) }
        #expect(source.now == start)
        time.advance(by: .seconds(2))
        #expect(source.now.since(start) == .seconds(2))
        time.removeObserver(observer)
        time.advance(by: .seconds(1))
        #expect(moves.load(ordering: .relaxed) == 1)
    }
}
