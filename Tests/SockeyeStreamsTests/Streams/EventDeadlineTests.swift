import Sockeye
import SockeyeCore
import SockeyeEngine
import SockeyeNet
import SockeyeStreams
import SockeyeTesting
import Testing

@Suite("Deadlines of event streams", .timeLimit(.minutes(1)))
struct EventDeadlineTests {
    /// Runs a stream from a server that sends an event and a comment and then nothing more. Only `body` moves the
    /// clock.
    private func stream(
        _ method: HTTPRequest.Method, _ settings: HTTPClient.EventStream.Options,
        options: OutgoingRequest.Options = .timeout(connect: .unlimited, head: .unlimited, stall: .unlimited),
        _ body: (inout HTTPClient.EventStream.Updates.Iterator, ManualClock) async throws -> Void
    ) async throws {
        let clock = ManualClock()
        let client = HTTPClient(clock: clock)
        try await withTestServer { _, responder in
            try await responder.startEvents()
            try await responder.write("data: a\n\n: alive\n\n")
            try await responder.waitForDisconnect()
            responder.close()
        } run: { server in
            var updates = client.events(method, server.url(), options: options.eventStream(settings)).updates
                .makeAsyncIterator()
            try await body(&updates, clock)
        }
    }

    private func expectEvent(_ updates: inout HTTPClient.EventStream.Updates.Iterator) async throws {
        if case .opened? = try await updates.next() {} else { Issue.record("not opened") }
        if case .event? = try await updates.next() {} else { Issue.record("no event") }
    }

    @Test("a stream that does not reconnect throws an error at the idle deadline")
    func idle() async throws {
        var settings = HTTPClient.EventStream.Options()
        settings.idle = .seconds(90)
        try await stream(.post, settings) { updates, clock in
            try await expectEvent(&updates)
            let start = clock.now
            var failure: SockeyeError?
            do {
                try await clock.advancing(by: .milliseconds(500)) { _ = try await updates.next() }
            } catch {
                failure = error as? SockeyeError
            }
            #expect(failure?.code == .timeout)
            #expect(failure?.limit?.name == "idle")
            #expect(failure?.limit?.configured == "90.0 seconds")
            #expect(start.duration(to: clock.now) >= .seconds(90))
        }
    }

    @Test("a stream that reconnects replaces its connection at the idle deadline")
    func idleAgain() async throws {
        var settings = HTTPClient.EventStream.Options()
        settings.idle = .seconds(90)
        try await stream(.get, settings) { updates, clock in
            try await expectEvent(&updates)
            let lost = try await clock.advancing(by: .milliseconds(500)) { try await updates.next() }
            guard case .lost(let error, _)? = lost else {
                Issue.record("not lost")
                return
            }
            #expect(error?.limit?.name == "idle")
            let opened = try await clock.advancing(by: .milliseconds(500)) { try await updates.next() }
            guard case .opened? = opened else {
                Issue.record("the stream did not reconnect")
                return
            }
        }
    }

    /// The chunks of a response. Each takes a second of the clock and arrives without suspension.
    private struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
        var rest: ArraySlice<String>
        let clock: ManualClock

        func makeAsyncIterator() -> Chunks { self }

        mutating func next() async -> Bytes? {
            guard let chunk = rest.popFirst() else { return nil }
            clock.advance(by: .seconds(1))
            return Bytes(chunk)
        }
    }

    /// Returns a stream of these chunks with an idle deadline of 90 s.
    private func stream(of chunks: [String], _ clock: ManualClock) throws -> HTTPClient.EventStream {
        let poller = try EventPoller(time: clock.timeSource)
        let mock = MockTransport { _ in
            .stream(Chunks(rest: chunks[...], clock: clock), headers: ["Content-Type": "text/event-stream"])
        }
        let client = HTTPClient(
            transport: mock, interceptors: [], clock: CallClock(time: clock.timeSource) { poller })
        var settings = HTTPClient.EventStream.Options()
        settings.idle = .seconds(90)
        settings.reconnects = false
        return client.events("https://example.com/", options: .eventStream(settings))
    }

    @Test(
        "a peer that never pauses but completes no event does not extend the idle deadline",
        arguments: [":\n", ": x", "data: x\n", "event: x\n\n", "id: 1\n\n", "retry: 1\n\n"])
    func idleWithoutPause(chunk: String) async throws {
        let clock = ManualClock()
        let start = clock.now
        let events = try stream(of: ["data: a\n\n"] + [String](repeating: chunk, count: 200), clock)
        var count = 0
        let error = await #expect(throws: SockeyeError.self) {
            for try await _ in events { count += 1 }
        }
        #expect(count == 1)
        #expect(error?.limit?.name == "idle")
        #expect(start.duration(to: clock.now) == .seconds(91))
    }

    @Test("the time that the caller takes between events is not part of the idle deadline")
    func slowCaller() async throws {
        let clock = ManualClock()
        var events = try stream(of: ["data: a\n\n", ": alive\n", "data: b\n\n"], clock).makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        clock.advance(by: .seconds(100))
        #expect(try await events.next()?.data == "b")
    }

    @Test("a stream reports a lost connection at the stall deadline")
    func stall() async throws {
        try await stream(
            .get, HTTPClient.EventStream.Options(),
            options: .timeout(connect: .unlimited, head: .unlimited, stall: .seconds(30))
        ) {
            updates, clock in
            try await expectEvent(&updates)
            let lost = try await clock.advancing(by: .milliseconds(500)) { try await updates.next() }
            guard case .lost(let error, _)? = lost else {
                Issue.record("not lost")
                return
            }
            #expect(error?.limit?.name == "timeouts.stall")
        }
    }

    @Test("the total deadline covers the whole stream, with its pauses", arguments: [false, true])
    func total(endsInPause: Bool) async throws {
        let clock = ManualClock()
        let client = HTTPClient(clock: clock)
        var settings = HTTPClient.EventStream.Options()
        settings.reconnection.pause = .seconds(endsInPause ? 40 : 2)
        settings.reconnection.backoff = .none
        try await withTestServer { _, responder in
            try await responder.startEvents()
            try await responder.write("data: a\n\n")
            responder.close()
        } run: { server in
            let start = clock.now
            var (events, failure) = (0, SockeyeError?.none)
            do {
                try await clock.advancing(by: .milliseconds(20)) {
                    for try await _ in client.events(
                        server.url(), options: .timeout(total: .seconds(30)).eventStream(settings))
                    {
                        events += 1
                    }
                }
            } catch {
                failure = error as? SockeyeError
            }
            #expect(failure?.code == .timeout)
            #expect(failure?.limit?.name == "timeouts.total")
            #expect(failure?.limit?.configured.hasSuffix("seconds") == true)
            if endsInPause { #expect(events == 1) } else { #expect(events > 1) }
            #expect(start.duration(to: clock.now) < .seconds(endsInPause ? 30 : 60))
        }
    }

    @Test("a pause before a reconnection ends when the task is cancelled")
    func cancelledPause() async throws {
        let clock = ManualClock()
        let client = HTTPClient(clock: clock)
        try await withTestServer { _, responder in
            try await responder.startEvents()
            responder.close()
        } run: { server in
            let (stream, lost) = (client.events(server.url()).updates, TestSignal())
            let task = Task {
                for try await update in stream { if case .lost = update { lost.fire() } }
            }
            try await lost.wait()
            task.cancel()
            let error = await #expect(throws: SockeyeError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
    }
}
