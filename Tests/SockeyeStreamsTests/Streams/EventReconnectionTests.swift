import Sockeye
import SockeyeCore
import SockeyeStreams
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import SockeyeStreams

@Suite("Reconnection of event streams", .timeLimit(.minutes(1)))
struct EventReconnectionTests {
    private let client = HTTPClient()

    /// Options without pauses.
    private var settings: HTTPClient.EventStream.Options {
        var settings = HTTPClient.EventStream.Options()
        settings.reconnection.pause = .zero
        settings.reconnection.backoff = .none
        return settings
    }

    enum Ending: CaseIterable { case finished, closed, reset }

    @Test("a stream continues after its last event, and drops an incomplete event", arguments: Ending.allCases)
    func resumed(ending: Ending) async throws {
        let (asked, seen) = (Recorder<String?>(), TestSignal())
        try await withTestServer { request, responder in
            asked.append(request["Last-Event-ID"])
            switch asked.values.count {
            case 1:
                try await responder.startEvents()
                try await responder.write("id: ä1\ndata: a\n\nid: 2\ndata: par")
                switch ending {
                case .finished: try await responder.finish()
                case .closed: responder.close()
                case .reset:
                    // A reset discards unread bytes, so the client reads the event first.
                    try await seen.wait()
                    responder.reset()
                }
            case 2:
                try await responder.startEvents()
                try await responder.write("data: b\n\nid: 3\n\n")
                responder.close()
            case 3:
                try await responder.startEvents()
                try await responder.write("data: c\n\nid\n\n")
                responder.close()
            default: try await responder.send(.status(204))
            }
        } run: { server in
            var events: [ServerSentEvent] = []
            for try await event in client.events(server.url(), options: .eventStream(settings)) {
                events.append(event)
                seen.fire()
            }
            #expect(events.map(\.data) == ["a", "b", "c"])
            #expect(events.map(\.id) == ["ä1", "ä1", "3"])
            #expect(asked.values == [nil, "ä1", "3", nil])
        }
    }

    @Test("updates report reconnections, which wait for the pause that the server sets")
    func updates() async throws {
        let clock = ManualClock()
        let client = HTTPClient(clock: clock)
        try await withTestServer { request, responder in
            guard request["Last-Event-ID"] == nil else { return try await responder.send(.status(204)) }
            try await responder.startEvents()
            try await responder.write("id: 1\nretry: 7000\ndata: a\n\n")
            responder.close()
        } run: { server in
            var settings = settings
            settings.reconnection.backoff = .constant(.seconds(1))
            let options = OutgoingRequest.Options.timeout(connect: .unlimited, head: .unlimited, stall: .unlimited)
            var updates = client.events(server.url(), options: options.eventStream(settings)).updates
                .makeAsyncIterator()
            guard case .opened(let response)? = try await updates.next() else {
                Issue.record("not opened")
                return
            }
            #expect(response.status == .ok)
            guard case .event(let event)? = try await updates.next() else {
                Issue.record("no event")
                return
            }
            #expect(event.data == "a")
            guard case .lost(let error, let pause)? = try await updates.next() else {
                Issue.record("not lost")
                return
            }
            #expect(error?.code == .connectionClosed)
            #expect(pause == .seconds(8))
            let start = clock.now
            #expect(try await clock.advancing(by: .milliseconds(100)) { try await updates.next() } == nil)
            #expect(start.duration(to: clock.now) >= .seconds(8))
            #expect(server.activity.requests == 2)
        }
    }

    @Test("each reconnection begins at the URL of the call and follows its redirects")
    func redirected() async throws {
        let paths = Recorder<String>()
        try await withTestServer { request, responder in
            paths.append(request.path)
            switch request.path {
            case "/old" where paths.values.count < 5:
                try await responder.send(.redirect(to: "/new", status: 301))
            case "/new":
                try await responder.startEvents()
                try await responder.write("id: 1\ndata: \(request["Last-Event-ID"] ?? "none")\n\n")
                try await responder.finish()
            default: try await responder.send(.status(204))
            }
        } run: { server in
            var data: [String] = []
            for try await event in client.events(server.url("/old"), options: .eventStream(settings)) {
                data.append(event.data)
            }
            #expect(data == ["none", "1"])
            #expect(paths.values == ["/old", "/new", "/old", "/new", "/old"])
        }
    }

    @Test("each connection uses the client's policies: credentials, and retries of a status")
    func policies() async throws {
        let count = Recorder<Int>()
        try await withTestServer { request, responder in
            guard request[.authorization] == "Bearer t" else { return try await responder.send(.status(403)) }
            count.append(0)
            switch count.values.count {
            case 2, 3: try await responder.send(.status(503))
            case 5: try await responder.send(.status(204))
            default:
                try await responder.startEvents()
                try await responder.write("data: a\n\n")
                try await responder.finish()
            }
        } run: { server in
            let client = client.adding(.bearer { AuthenticationPolicy.Token("t", expiresIn: .seconds(3600)) }).adding(
                .retry(max: 3, backoff: .none))
            var events = 0
            for try await _ in client.events(server.url(), options: .eventStream(settings)) { events += 1 }
            #expect(events == 2)
            #expect(count.values.count == 5)
        }
    }

    @Test(
        "an error status at a reconnection ends the stream with an error, as the standard requires",
        arguments: [500, 503, 404])
    func refusedLater(status: Int) async throws {
        try await withTestServer { request, responder in
            guard request.number == 0, request.connection == 0 else {
                return try await responder.send(.status(status))
            }
            try await responder.startEvents()
            try await responder.write("data: a\n\n")
            try await responder.finish()
        } run: { server in
            var events = 0
            let error = await #expect(throws: SockeyeError.self) {
                for try await _ in client.events(server.url(), options: .eventStream(settings)) { events += 1 }
            }
            #expect(error?.code == .unacceptableStatus)
            #expect(events == 1)
            #expect(server.activity.requests == 2)
        }
    }

    @Test("after the configured number of failed attempts the error of the last attempt is thrown")
    func serverGone() async throws {
        let server = try await TestServer.start { _, responder in
            try await responder.startEvents()
            try await responder.write("data: a\n\n")
            try await responder.waitForDisconnect()
            responder.close()
        }
        var settings = settings
        settings.reconnection.attempts = 3
        var lost: [SockeyeError.Code?] = []
        let error = await #expect(throws: SockeyeError.self) {
            for try await update in client.events(server.url(), options: .eventStream(settings)).updates {
                switch update {
                case .opened: break
                case .event: await server.stop()
                case .lost(let error, _): lost.append(error?.code)
                }
            }
        }
        #expect(error?.code == .connectFailed)
        #expect(lost == [.connectionClosed, .connectFailed, .connectFailed])
    }

    @Test(
        "a local shortage that may pass is one failed attempt, and the next attempt continues the stream",
        arguments: [
            .failure(.timeout, in: .pool, blame: .policy), .failure(.tooManyWaiting, in: .pool, blame: .policy),
            .failure(.outOfResources, in: .connect, blame: .network),
            .failure(.circuitOpen, in: .prepare, blame: .policy),
        ] as [SockeyeError])
    func shortage(error: SockeyeError) async throws {
        let count = Recorder<Int>()
        let mock = MockTransport { _ in
            count.append(0)
            switch count.values.count {
            case 1: return .bytes(Bytes("data: a\n\n"), contentType: "text/event-stream")
            case 2: throw error
            default: return .status(204)
            }
        }
        var lost: [SockeyeError.Code?] = []
        let stream = HTTPClient(transport: mock).events("http://a.test/", options: .eventStream(settings))
        for try await update in stream.updates {
            if case .lost(let error, _) = update { lost.append(error?.code) }
        }
        #expect(lost == [nil, error.code] && count.values.count == 3)
    }

    @Test("an error of the first connection is thrown at once")
    func firstFails() async throws {
        let port = try ClosedPort()
        var updates = client.events(port.url(), options: .eventStream(settings)).updates.makeAsyncIterator()
        let error = await #expect(throws: SockeyeError.self) { _ = try await updates.next() }
        #expect(error?.code == .connectFailed)
    }

    @Test(
        "the event stream of a POST is not reconnected: it ends with the response or its error",
        arguments: [false, true])
    func post(isCut: Bool) async throws {
        try await withTestServer { request, responder in
            #expect(try await request.text() == "question")
            try await responder.startEvents()
            try await responder.write("data: a\n\n")
            if isCut { responder.close() } else { try await responder.finish() }
        } run: { server in
            var (events, failure) = (0, SockeyeError?.none)
            do {
                for try await _ in client.events(
                    .post, server.url(), .text("question"), options: .eventStream(settings))
                {
                    events += 1
                }
            } catch {
                failure = error as? SockeyeError
            }
            #expect(events == 1)
            #expect(failure?.code == (isCut ? .connectionClosed : nil))
            #expect(server.activity.requests == 1)
        }
    }

    @Test("a POST with `reconnects` is sent again if its content can be sent again", arguments: [false, true])
    func repeatedPost(isOneShot: Bool) async throws {
        try await withTestServer { request, responder in
            #expect(try await request.text() == "question")
            guard request["Last-Event-ID"] == nil else { return try await responder.send(.status(204)) }
            try await responder.startEvents()
            try await responder.write("id: 1\ndata: a\n\n")
            try await responder.finish()
        } run: { server in
            var settings = settings
            settings.reconnects = true
            let content: HTTPClient.Content = isOneShot ? .stream(Elements(["question".bytes])) : .text("question")
            var events = 0
            for try await _ in client.events(.post, server.url(), content, options: .eventStream(settings)) {
                events += 1
            }
            #expect(events == 1)
            #expect(server.activity.requests == (isOneShot ? 1 : 2))
        }
    }

    @Test("a stream can continue after a given event ID, and can be told not to reconnect")
    func given() async throws {
        try await withTestServer { request in
            TestServerResponse(
                headers: [.contentType: "text/event-stream"], body: "data: \(request["Last-Event-ID"] ?? "")\n\n".bytes)
        } run: { server in
            var settings = settings
            settings.lastEventID = "41"
            settings.reconnects = false
            var data: [String] = []
            for try await event in client.events(server.url(), options: .eventStream(settings)) {
                data.append(event.data + event.id)
            }
            #expect(data == ["4141"])
        }
    }
}
