import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

@Suite("Deadlines of streams of events", .timeLimit(.minutes(1)))
struct EventDeadlineTests {
    /// Runs a stream against a server that sends an event and then, with each signal, a comment, while the clock stands still
    /// but for what `body` does to it.
    private func stream(
        _ method: HTTPRequest.Method, _ settings: HTTPClient.EventStream.Settings,
        options: OutgoingRequest.Options = .timeout(connect: nil, head: nil, stall: nil),
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
            var updates = client.events(method, server.url(), options: options, settings: settings).updates
                .makeAsyncIterator()
            try await body(&updates, clock)
        }
    }

    private func expectEvent(_ updates: inout HTTPClient.EventStream.Updates.Iterator) async throws {
        if case .opened? = try await updates.next() {} else { Issue.record("not opened") }
        if case .event? = try await updates.next() {} else { Issue.record("no event") }
    }

    @Test("between events: an error where nothing is connected to again")
    func idle() async throws {
        var settings = HTTPClient.EventStream.Settings()
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

    @Test("between events: a lost connection where it is made again")
    func idleAgain() async throws {
        var settings = HTTPClient.EventStream.Settings()
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
                Issue.record("not opened again")
                return
            }
        }
    }

    @Test("for silence: a lost connection, too")
    func stall() async throws {
        try await stream(
            .get, HTTPClient.EventStream.Settings(), options: .timeout(connect: nil, head: nil, stall: .seconds(30))
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

    @Test("for the whole call is that of the whole stream, pauses included", arguments: [false, true])
    func total(endsInPause: Bool) async throws {
        let clock = ManualClock()
        let client = HTTPClient(clock: clock)
        var settings = HTTPClient.EventStream.Settings()
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
                        server.url(), options: .timeout(total: .seconds(30)), settings: settings)
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

    @Test("a pause is cancelled with its task")
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
