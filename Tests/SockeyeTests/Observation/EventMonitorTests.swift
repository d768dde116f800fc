import HTTPTypes
import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Event monitors", .timeLimit(.minutes(1))) struct EventMonitorTests {
    private struct Silent: EventMonitor {
        let kinds: ClientEvent.Kinds = []
        func handle(_ event: ClientEvent) { Issue.record("an unwanted event: \(event)") }
    }

    @Test("a monitor gets all events of a call in order")
    func order() async throws {
        try await withTestServer { request in
            _ = try await request.body.collect()
            return request.path == "/" ? .redirect(to: "/next", status: 307) : .ok("end")
        } run: { server in
            let monitor = RecordingMonitor()
            let client = HTTPClient().monitored(by: monitor).monitored(by: Silent())
            let text = try await client.post(server.url(), .body("1234")).text()
            #expect(text == "end")
            #expect(
                monitor.events.values == [
                    "start POST /", "exchange POST /", "new connection", "body 4 of 4", "sent", "head 307", "end 307",
                    "redirected", "exchange POST /next", "reused", "body 4 of 4", "sent", "head 200", "got 3",
                    "end 200", "returned 200",
                ])
        }
    }

    @Test("a monitor gets the growing number of content bytes received so far")
    func content() async throws {
        try await withTestServer { _ in
            .bytes(Bytes([UInt8](repeating: 7, count: 1 << 20)))
        } run: { server in
            let monitor = RecordingMonitor()
            let count = try await HTTPClient().monitored(by: monitor).get(server.url()).bytes().count
            let totals = monitor.events.values.compactMap { event in
                event.hasPrefix("got ") ? Int(event.dropFirst("got ".count)) : nil
            }
            #expect(totals.last == count)
            #expect(zip(totals, totals.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    @Test("a request body that continues after the response is reported before the end of the exchange")
    func earlyAnswer() async throws {
        let server = try await RawServer.start(
            script: [.readRequestHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .readToEnd])
        let monitor = RecordingMonitor()
        let answered = HeadSignal()
        let chunks = AsyncThrowingStream<[UInt8], any Error> {
            if monitor.events.values.contains("body 3 of 3") { return nil }
            try await answered.signal.wait(timeout: .seconds(20))
            return [1, 2, 3]
        }
        // On a stopped clock the body has unlimited time.
        let client = HTTPClient(clock: ManualClock()).monitored(by: monitor).monitored(by: answered)
        _ = try await client.put(server.url(), .stream(chunks, length: 3))
        #expect(monitor.events.values.suffix(5) == ["head 200", "body 3 of 3", "sent", "end 200", "returned 200"])
        await server.stop()
    }

    private final class HeadSignal: EventMonitor {
        let signal = TestSignal()

        let kinds: ClientEvent.Kinds = .headReceived
        func handle(_ event: ClientEvent) { signal.fire() }
    }

    @Test("a monitor gets failures")
    func failures() async throws {
        let closed = try ClosedPort()
        let monitor = RecordingMonitor()
        var configuration = ClientConfiguration()
        configuration.monitors = [monitor]
        let client = HTTPClient(configuration: configuration)
        await #expect(throws: SockeyeError.self) { try await client.get("http://127.0.0.1:\(closed.port)/") }
        #expect(
            monitor.events.values == ["start GET /", "exchange GET /", "end connectFailed", "failed connectFailed"])
    }

    @Test("replays on dead connections are reported as separate exchanges")
    func replays() async throws {
        let server = try await RawServer.start(
            script: [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), .close])
        let monitor = RecordingMonitor()
        let client = HTTPClient().monitored(by: monitor)
        for _ in 0..<3 { _ = try await client.get(server.url()).status }
        #expect(monitor.events.values.filter { $0 == "returned 200" }.count == 3)
        let starts = monitor.events.values.filter { $0 == "exchange GET /" }.count
        #expect(starts == monitor.events.values.filter { $0.hasPrefix("end ") }.count)
        await server.stop()
    }

    private final class Describing: EventMonitor {
        let descriptions = Recorder<String>()

        let kinds: ClientEvent.Kinds = [.callStarted, .exchangeEnded]
        func handle(_ event: ClientEvent) { descriptions.append("\(event)") }
    }

    @Test("monitors also observe mock transports, and descriptions of calls show no secrets")
    func mocks() async throws {
        let monitor = RecordingMonitor()
        let client = HTTPClient(transport: MockTransport { _ in .ok() }).monitored(by: monitor)
        _ = try await client.get("http://ada:s3cret@a.example/x")
        #expect(
            monitor.events.values == [
                "start GET /x", "exchange GET /x", "head 200", "end 200", "returned 200",
            ])
        let describing = Describing()
        _ = try await client.monitored(by: describing).get("http://ada:s3cret@a.example/x")
        #expect(describing.descriptions.values.count == 2)
        #expect(describing.descriptions.values.allSatisfy { !$0.contains("s3cret") && !$0.contains("ada") })
    }

    /// Makes a monitor for each call that is not a HEAD, to record its events separately.
    private struct Factory: EventMonitor {
        let calls = Recorder<OneCall>()

        final class OneCall: EventMonitor {
            let call: ObservedCall
            let kinds: ClientEvent.Kinds = [.callStarted, .callReturned]
            let events = Recorder<ClientEvent>()

            init(_ call: ObservedCall) { self.call = call }

            func handle(_ event: ClientEvent) { events.append(event) }
        }

        func monitor(of call: ObservedCall) -> (any EventMonitor)? {
            guard call.method != .head else { return nil }
            let monitor = OneCall(call)
            calls.append(monitor)
            return monitor
        }

        func handle(_ event: ClientEvent) { Issue.record("an event for the factory itself: \(event)") }
    }

    @Test("a factory makes a monitor for each call, or none")
    func ofOneCall() async throws {
        let factory = Factory()
        let client = HTTPClient(transport: MockTransport { _ in .ok() }).monitored(by: factory)
        _ = try await client.get("http://a.example/1")
        let unheard = try await client.head("http://a.example/2")
        _ = try await client.get("http://a.example/3")
        #expect(factory.calls.values.map(\.call.url.path) == ["/1", "/3"])
        for monitor in factory.calls.values {
            #expect(monitor.events.values.map(\.kind) == [.callStarted, .callReturned])
            #expect(monitor.events.values.allSatisfy { $0.call == monitor.call })
        }
        #expect(unheard.metrics == nil)
    }

    @Test("a monitor that wants no events of calls is not asked about calls")
    func unconcerned() async throws {
        struct TasksOnly: EventMonitor {
            let kinds: ClientEvent.Kinds = .taskEnded
            func monitor(of call: ObservedCall) -> (any EventMonitor)? {
                Issue.record("a monitor of calls was requested for \(call)")
                return self
            }
            func handle(_ event: ClientEvent) {}
        }
        let client = HTTPClient(transport: MockTransport { _ in .ok() }).monitored(by: TasksOnly())
        #expect(try await client.get("http://a.example/").metrics == nil)
    }

    /// Adds a field to each call, and records the calls that have returned.
    private struct Naming: Interceptor, EventMonitor {
        let returned = Recorder<String>()
        let kinds: ClientEvent.Kinds = .callReturned

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            var request = request
            request.headers["X-Name"] = "a"
            return try await call.proceed(request)
        }

        func handle(_ event: ClientEvent) { returned.append("\(event)") }
    }

    @Test("an interceptor that is also a monitor observes the calls that it takes part in")
    func interceptor() async throws {
        let naming = Naming()
        let client = HTTPClient(transport: MockTransport { .ok($0.headers["X-Name"] ?? "-") })
        #expect(try await client.get("http://a.example/1").text() == "-")
        #expect(try await client.get("http://a.example/2", options: .intercepting(naming)).text() == "a")
        #expect(try await client.adding(naming).get("http://a.example/3").text() == "a")
        #expect(naming.returned.values.count == 2)
        #expect(naming.returned.values.first?.contains("http://a.example/2: 200 after") == true)
    }

    /// Sends a request with another client.
    private struct Forwarding: Interceptor {
        let client: HTTPClient

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            try await client.send(request)
        }
    }

    @Test(
        "a request that an interceptor sends with another client is an exchange of the call, which returns once",
        arguments: [.init(), .limit(body: 1 << 20), .intercepting(.redirects(.manual))] as [OutgoingRequest.Options])
    func forwarded(options: OutgoingRequest.Options) async throws {
        try await withTestServer { _ in
            .ok("end")
        } run: { server in
            let monitor = RecordingMonitor()
            let client = HTTPClient().adding(Forwarding(client: HTTPClient())).monitored(by: monitor)
            let text = try await client.get(server.url("/x"), options: options).text()
            #expect(text == "end")
            #expect(
                monitor.events.values == [
                    "start GET /x", "exchange GET /x", "new connection", "sent", "head 200", "got 3", "end 200",
                    "returned 200",
                ])
        }
    }

    @Test("a forwarded call that fails in another observed client fails once")
    func forwardedFailure() async throws {
        let (monitor, other) = (RecordingMonitor(), RecordingMonitor())
        let inner = HTTPClient(transport: MockTransport()).monitored(by: other)
        let client = HTTPClient().adding(Forwarding(client: inner)).monitored(by: monitor)
        await #expect(throws: SockeyeError.self) { try await client.get("http://a.example/x") }
        #expect(monitor.events.values.filter { $0.hasPrefix("failed") }.count == 1)
        #expect(monitor.events.values.last?.hasPrefix("failed") == true && other.events.values.isEmpty)
    }

    @Test("a call's own interceptor that sends the request with another client is not run by that client")
    func forwardedByCall() async throws {
        let monitor = RecordingMonitor()
        let inner = HTTPClient(transport: MockTransport { _ in .ok("end") })
        let client = HTTPClient(transport: MockTransport()).monitored(by: monitor)
        let response = try await client.get("http://a.example/x", options: .intercepting(Forwarding(client: inner)))
        #expect(try await response.text() == "end")
        #expect(monitor.events.values.filter { $0.hasPrefix("returned") } == ["returned 200"])
    }
}
