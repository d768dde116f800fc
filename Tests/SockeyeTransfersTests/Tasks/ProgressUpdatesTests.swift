import SockeyeCore
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine
@testable import SockeyeTransfers

@Suite("Progress updates", .timeLimit(.minutes(1))) struct ProgressUpdatesTests {
    private let clock = ManualClock()
    private let timer: ProgressTimer
    private let channel: ProgressChannel

    init() throws {
        let poller = try EventPoller(time: clock.timeSource)
        timer = ProgressTimer(clock: CallClock(time: clock.timeSource) { poller })
        channel = ProgressChannel(timer: timer)
    }

    /// Records values as they arrive. The task ends after the last value.
    private func listen() -> (values: Recorder<Int>, ended: Task<Void, Never>) {
        let values = Recorder<Int>()
        let channel = channel
        let ended = Task {
            for await progress in TransferProgress.Updates(channel) { values.append(progress.completed) }
        }
        return (values, ended)
    }

    @Test("a value comes at least 100 ms after the previous one, and is the latest")
    func pace() async throws {
        let (values, ended) = listen()
        await eventually("the current value") { values.values == [0] }
        for completed in 1...1000 { channel.update(completed, of: 2000) }
        clock.advance(by: .milliseconds(99))
        for _ in 0..<100 { await Task.yield() }
        #expect(values.values == [0])
        try await clock.advancing(by: .milliseconds(1)) {
            await eventually("the latest value") { values.values.count == 2 }
        }
        #expect(values.values == [0, 1000])
        channel.end()
        await ended.value
    }

    @Test("a listener that got no value for 100 ms gets the next value at once")
    func quiet() async throws {
        let (values, ended) = listen()
        await eventually("the current value") { values.values == [0] }
        for _ in 0..<20 {
            clock.advance(by: .milliseconds(50))
            for _ in 0..<20 { await Task.yield() }
        }
        channel.add(7)
        try await clock.advancing(by: .milliseconds(1)) {
            await eventually("the new value") { values.values == [0, 7] }
        }
        channel.end()
        await ended.value
    }

    @Test("the timer fires at most every 10 ms, also if no iterator has paused in between")
    func shortestInterval() async throws {
        let fired = Recorder<MonotonicTime>()
        timer.schedule(until: timer.now) { [timer] in fired.append(timer.now) }
        await eventually("the first firing") { fired.values.count == 1 }
        // The timer stops meanwhile.
        for _ in 0..<100 { await Task.yield() }
        timer.schedule(until: timer.now.advanced(by: .milliseconds(1))) { [timer] in fired.append(timer.now) }
        try await clock.advancing(by: .milliseconds(1)) {
            await eventually("the second firing") { fired.values.count == 2 }
        }
        #expect(fired.values[1].since(fired.values[0]) >= .milliseconds(10))
    }

    @Test("the last value is not delayed, for any number of listeners")
    func end() async {
        let listeners = (0..<50).map { _ in listen() }
        await eventually("all listeners have the first value") { listeners.allSatisfy { $0.values.values == [0] } }
        channel.update(5, of: 5)
        channel.end()
        for (values, ended) in listeners {
            await ended.value
            #expect(values.values == [0, 5])
        }
    }

    @Test("a listener that starts after the end gets the last value")
    func late() async {
        channel.update(5, of: 5)
        channel.end()
        let (values, ended) = listen()
        await ended.value
        #expect(values.values == [5])
    }

    @Test("cancellation ends one listener while it waits, and no other")
    func cancelled() async {
        let (first, second) = (listen(), listen())
        await eventually("both listeners have the first value") {
            first.values.values == [0] && second.values.values == [0]
        }
        first.ended.cancel()
        await first.ended.value
        channel.end()
        await second.ended.value
        #expect(first.values.values == [0] && second.values.values == [0, 0])
    }

    @Test("each of two hundred listeners gets the latest value")
    func many() async throws {
        let listeners = (0..<200).map { _ in listen() }
        await eventually("all listeners have one value") { listeners.allSatisfy { $0.values.values.count == 1 } }
        channel.add(1)
        try await clock.advancing(by: .milliseconds(10)) {
            await eventually("all listeners have the second value") {
                listeners.allSatisfy { $0.values.values == [0, 1] }
            }
        }
        channel.end()
        for listener in listeners { await listener.ended.value }
    }

    @Test("the throughput and remaining time of a resumed download count only transferred bytes")
    func resumed() {
        _ = channel.current
        clock.advance(by: .seconds(1))
        channel.skip(to: 400_000_000, of: 410_000_000)
        _ = channel.current
        clock.advance(by: .seconds(1))
        channel.update(405_000_000, of: 410_000_000)
        let progress = channel.current
        #expect(progress.completed == 405_000_000 && (progress.throughput ?? .infinity) <= 5_000_000)
        #expect(progress.remaining ?? .zero >= .seconds(1))
    }
}
