#if Observability || Service
import HTTPTypes
import InMemoryLogging
import Logging
import SockeyeHTTP
import SockeyeObservability
import SockeyeTesting
import Testing

@testable import Sockeye

@Suite("Logging", .timeLimit(.minutes(1))) struct LoggingTests {
    private func logger(_ level: Logger.Level) -> (Logger, InMemoryLogHandler) {
        let handler = InMemoryLogHandler()
        var logger = Logger(label: "test") { _ in handler }
        logger.logLevel = level
        return (logger, handler)
    }

    private func lines(_ handler: InMemoryLogHandler) -> [String] {
        handler.entries.map { "\($0.level) \($0.message)" }
    }

    @Test("the log at level info has no line for successful calls and one for each other call")
    func production() async throws {
        try await Scenario.run { server, _ in
            let (logger, handler) = logger(.info)
            let client = HTTPClient().adding(.logging(to: logger)).adding(Scenario.retrying)
            _ = try await client.get(server.url("/start")).text()
            #expect(handler.entries.isEmpty)
            _ = try await client.get(server.url("/gone")).text()
            let closed = try ClosedPort()
            await #expect(throws: SockeyeError.self) {
                try await HTTPClient().adding(.logging(to: logger)).get("http://127.0.0.1:\(closed.port)/")
            }
            #expect(lines(handler) == ["info HTTP call answered", "warning HTTP call failed"])
            let failure = try #require(handler.entries.last).metadata
            #expect(failure["error.type"] == "connectFailed")
            #expect(failure["sockeye.error.phase"] == "connect")
            #expect(failure["server.port"] == "\(closed.port)")
        }
    }

    @Test("the log at level debug has a line for each repeated request and for the call, with OpenTelemetry's names")
    func debug() async throws {
        try await Scenario.run { server, _ in
            let (logger, handler) = logger(.debug)
            let client = HTTPClient().adding(.logging(to: logger)).adding(Scenario.retrying)
            _ = try await client.get(server.url("/start")).text()
            #expect(
                lines(handler) == [
                    "debug HTTP request sent again", "debug HTTP request sent again", "debug HTTP call answered",
                ])
            let reasons = handler.entries.compactMap { $0.metadata["sockeye.resend.reason"]?.description }
            #expect(Set(reasons) == ["redirected", "retried"])
            let last = try #require(handler.entries.last).metadata
            #expect(last["http.request.method"] == "GET")
            #expect(last["http.response.status_code"] == "200")
            #expect(last["http.request.resend_count"] == "2")
            #expect(last["server.address"] == "127.0.0.1")
            #expect(last["url.full"]?.description == server.url("/flaky?sig=REDACTED&page=2"))
            #expect(Set(handler.entries.map { $0.metadata["sockeye.call.id"]?.description }).count == 1)
        }
    }

    @Test("after a redirect that changes the method, the line of the call has method and URL of the last request")
    func changedMethod() async throws {
        try await withTestServer { request in
            request.path == "/form" ? .redirect(to: "/result", status: 303) : .ok("done")
        } run: { server in
            let (logger, handler) = logger(.debug)
            let client = HTTPClient().adding(.logging(to: logger))
            _ = try await client.post(server.url("/form"), .text("x")).text()
            let pairs = handler.entries.map { entry in
                ["http.request.method", "url.full"].map { entry.metadata[$0]?.description }
            }
            #expect(pairs == [["POST", server.url("/form")], ["GET", server.url("/result")]])
        }
    }

    @Test("the log at level trace has the connection and the times of each exchange")
    func trace() async throws {
        try await Scenario.run { server, _ in
            let (logger, handler) = logger(.trace)
            _ = try await HTTPClient().adding(.logging(to: logger)).get(server.url()).text()
            let exchange = try #require(handler.entries.first { $0.level == .trace }).metadata
            #expect(exchange["network.peer.address"] == "127.0.0.1")
            #expect(exchange["network.peer.port"] == "\(server.port)")
            #expect(exchange["sockeye.connection.reused"] == "false")
            #expect(exchange["http.response.body.size"] == "5")
            #expect(exchange["sockeye.head"] != nil)
        }
    }

    @Test("the log has no secret: no user name, no field, no sensitive query value and no body")
    func secrets() async throws {
        try await Scenario.run { server, _ in
            let (logger, handler) = logger(.trace)
            let client = HTTPClient().adding(.logging(to: logger))
                .adding(.bearer("t0psecret", allowsPlaintext: true))
            let address = server.url("/gone?token=t0psecret").replacing("http://", with: "http://me:t0psecret@")
            _ = try? await client.post(address, .text("t0psecret"), headers: ["Cookie": "a=t0psecret"])
            let closed = try ClosedPort()
            _ = try? await client.get("http://me:t0psecret@127.0.0.1:\(closed.port)/?token=t0psecret#t0psecret")
            #expect(handler.entries.count >= 4)
            for entry in handler.entries { #expect(!"\(entry)".contains("t0psecret"), "\(entry)") }
        }
    }

    @Test("a logger of a scope or a call replaces the client's, and the task's logger is the default")
    func levels() async throws {
        try await Scenario.run { server, _ in
            let (clients, clientsLines) = logger(.debug)
            let (own, ownLines) = logger(.debug)
            let client = HTTPClient().adding(.logging(to: clients))
            _ = try await client.get(server.url(), options: .logging(to: own)).text()
            #expect(clientsLines.entries.isEmpty)
            #expect(ownLines.entries.count == 1)
            _ = try await client.adding(.logging(to: own)).get(server.url()).text()
            #expect(clientsLines.entries.isEmpty)
            #expect(ownLines.entries.count == 2)
            try await withLogger(own) { _ in
                _ = try await HTTPClient().adding(.logging()).get(server.url()).text()
            }
            #expect(ownLines.entries.count == 3)
        }
    }

    @Test("the log has a line for content that broke off after the call returned its response")
    func brokenBody() async throws {
        let server = try await RawServer.start(
            script: [.readRequestHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .close])
        let (logger, handler) = logger(.info)
        let response = try await HTTPClient().adding(.logging(to: logger)).get(server.url())
        await #expect(throws: SockeyeError.self) { try await response.text() }
        #expect(lines(handler) == ["warning HTTP response broke off"])
        #expect(handler.entries.first?.metadata["error.type"] == "connectionClosed")
        await server.stop()
    }

    @Test("a call is not monitored if no line about it could reach the logger's level")
    func silence() throws {
        let (logger, _) = logger(.critical)
        let call = ObservedCall(id: 1, method: .get, url: try HTTPURL("http://example.com/"))
        #expect(LoggerInterceptor.logging(to: logger).monitor(of: call) == nil)
    }
}
#endif
