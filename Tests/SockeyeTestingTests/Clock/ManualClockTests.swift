import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Manual clock", .timeLimit(.minutes(1)))
struct ManualClockTests {
    @Test("the clock wakes sleepers when it passes their deadlines, the earliest first")
    func order() async throws {
        let clock = ManualClock()
        let start = clock.now
        let order = Recorder<Int>()
        try await withThrowingTaskGroup { group in
            for seconds in [3, 1, 2] {
                group.addTask {
                    try await clock.sleep(until: start.advanced(by: .seconds(seconds)))
                    order.append(seconds)
                }
            }
            try await clock.waitForSleepers(3)
            clock.advance(by: .milliseconds(999))
            #expect(clock.sleeperCount == 3)
            clock.advance(by: .milliseconds(1))
            try await group.next()
            #expect(order.values == [1])
            clock.advance(by: .seconds(5))
            try await group.waitForAll()
        }
        #expect(Set(order.values) == [1, 2, 3])
        #expect(start.duration(to: clock.now) == .seconds(6))
    }

    @Test("a sleep until the past returns at once")
    func past() async throws {
        let clock = ManualClock()
        try await clock.sleep(until: clock.now)
        try await clock.sleep(for: .zero)
    }

    @Test("a cancelled sleep ends, however early the cancellation")
    func cancellation() async throws {
        let clock = ManualClock()
        for _ in 0..<200 {
            let task = Task { try await clock.sleep(for: .seconds(1)) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        #expect(clock.sleeperCount == 0)
    }

    @Test("advancing the clock advances the time of a poller")
    func timeSource() async throws {
        let clock = ManualClock()
        let poller = try EventPoller(time: clock.timeSource)
        let deadline = poller.time.now.advanced(by: .seconds(3600))
        async let sleep: Void = poller.sleep(until: deadline)
        clock.advance(by: .seconds(3600))
        try await sleep
    }

    @Test("a client's deadlines pass without a real wait")
    func client() async throws {
        try await withTestServer { _ in
            .never
        } run: { server in
            let clock = ManualClock()
            let client = HTTPClient(clock: clock)
            let error = await #expect(throws: SockeyeError.self) {
                try await clock.advancing(by: .seconds(10)) { try await client.get(server.url()) }
            }
            #expect(error?.code == .timeout)
            try await server.wait { $0.openConnections == 0 }
        }
    }
}
