import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import SockeyeTransfers
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("Throttled bodies", .timeLimit(.minutes(1)))
struct ThrottleTests {
    @Test("a throttled body is sent in packets with pauses between them, and keeps its length and replayability")
    func packets() async throws {
        let file = try ScratchFile("f", [UInt8](repeating: 1, count: 50_000))
        let bodies: [OutgoingRequest.Body] = [
            .bytes([UInt8](repeating: 1, count: 50_000)), try .file(file.path),
            .stream(Elements(Array(repeating: [UInt8](repeating: 1, count: 1000), count: 50)), length: 50_000),
        ]
        for body in bodies {
            let slow = body.throttled()
            #expect(slow.length == 50_000)
            #expect(slow.isReplayable == body.isReplayable)
            let clock = ManualTime()
            let start = clock.now
            let sink = CollectingSink(clock: clock)
            try await slow.produce(into: sink)
            #expect(await sink.bytes.count == 50_000)
            #expect(await sink.pauses.count == 3)
            #expect(clock.now.since(start) == .milliseconds(600))
            #expect(await sink.writes.allSatisfy { $0 <= 16 << 10 })
        }
    }

    @Test("the rate holds over ten seconds", arguments: [1_000_000, 10_000_000, 100_000_000, 7])
    func rate(rate: Int) async throws {
        let clock = ManualTime()
        let start = clock.now
        var pacer = RateLimiter(.rate(rate))
        var left = rate * 10
        while left > 0 {
            switch pacer.next(at: clock.now) {
            case .send(let most):
                let count = min(most, left)
                let begun = clock.now
                pacer.sent(count, from: begun, to: clock.now)
                left -= count
            // Every wake-up is late by 800 µs.
            case .wait(let deadline): clock.advance(by: deadline.since(clock.now) + .microseconds(800))
            }
        }
        let seconds = clock.now.since(start) / .seconds(1)
        #expect((9.5...10.5).contains(seconds), "\(seconds)")
    }

    @Test("after a long stall of the peer, a burst makes up for about one second at most")
    func debt() {
        let clock = ManualTime()
        var pacer = RateLimiter(.rate(1000))
        let begun = clock.now
        clock.advance(by: .seconds(60))
        pacer.sent(20, from: begun, to: clock.now)
        var burst = 0
        while case .send(let count) = pacer.next(at: clock.now) {
            pacer.sent(count, from: clock.now, to: clock.now)
            burst += count
        }
        #expect(burst <= 1100)
    }

    @Test("pauses follow the client's clock and count toward the total deadline of the request")
    func clock() async throws {
        let clock = ManualClock()
        try await withTestServer { request in
            .ok("\(try await request.body.collect().count)")
        } run: { server in
            let client = HTTPClient(clock: clock)
            let body = OutgoingRequest.Body.bytes([UInt8](repeating: 1, count: 10_000))
            let text = try await clock.advancing(by: .seconds(10)) {
                try await client.post(
                    server.url(), .body(body.throttled(packetSize: 1000, delay: .seconds(30))),
                    options: .timeouts(Self.timeouts(total: 100_000))
                ).text()
            }
            #expect(text == "10000")
            let error = await #expect(throws: SockeyeError.self) {
                try await clock.advancing(by: .seconds(10)) {
                    _ = try await client.post(
                        server.url(), .body(body.throttled(packetSize: 1000, delay: .seconds(3600))),
                        options: .timeouts(Self.timeouts(total: 600)))
                }
            }
            #expect(error?.code == .timeout)
            _ = server.takeFailures()
        }
    }

    @Test("the stall deadline of a call or task ignores the pauses of a throttled body", arguments: [false, true])
    func longPauses(isTask: Bool) async throws {
        let clock = ManualClock()
        try await withTestServer { request in
            .ok("\(try await request.body.collect().count)")
        } run: { server in
            let client = HTTPClient(clock: clock)
            let body = OutgoingRequest.Body.bytes([UInt8](repeating: 1, count: 5000))
                .throttled(packetSize: 1000, delay: .seconds(300))
            // These deadlines are unlimited, because on a busy machine the clock advances many times before the answer.
            let options = OutgoingRequest.Options.timeout(connect: .unlimited, head: .unlimited)
            let text = try await clock.advancing(by: .seconds(2)) {
                guard isTask else { return try await client.put(server.url(), .body(body), options: options).text() }
                return try await client.uploadTask(.put, server.url(), .body(body), options: options, as: .text).value
            }
            #expect(text == "5000")
        }
    }

    private static func timeouts(total: Int) -> Timeouts {
        var timeouts = Timeouts(total: .seconds(total), stall: nil)
        timeouts.connect = .unlimited
        timeouts.head = .unlimited
        return timeouts
    }

    @Test("a multipart form can be throttled, by packets with pauses or to a rate")
    func form() async throws {
        var form = MultipartForm()
        form.data("a", [UInt8](repeating: 1, count: 100_000))
        form.throttle(packetSize: 40_000, delay: .seconds(1))
        let clock = ManualTime()
        let sink = CollectingSink(clock: clock)
        try await form.body().produce(into: sink)
        #expect(await sink.pauses.count == 2)
        form.throttle(bytesPerSecond: 1000)
        let start = clock.now
        try await form.body().produce(into: CollectingSink(clock: clock))
        #expect((99...101).contains(clock.now.since(start) / .seconds(1)))
    }
}
