import Sockeye
import SockeyeCore
import SockeyeTesting
import Testing

/// Deadlines of requests, and shutting down.
@Suite struct TimeTests {
    private func client(_ change: (inout Timeouts) -> Void) -> HTTPClient {
        var timeouts = Timeouts()
        change(&timeouts)
        return HTTPClient(configuration: .init(timeouts: timeouts))
    }

    /// Runs `body`, which must fail, and returns its error and duration.
    private func failureAndTime<Value>(
        _ body: () async throws -> Value
    ) async -> (error: SockeyeError?, time: Duration) {
        let clock = ContinuousClock()
        let start = clock.now
        let error = await failure(body) as? SockeyeError
        return (error, start.duration(to: clock.now))
    }

    @Test(
        "time-01: connect timeout (a full listen backlog or a blackholed address)", .timeLimit(.minutes(1)))
    func connect() async throws {
        let blackhole = try await BlackholeServer.start()
        let client = client { $0.connect = .milliseconds(500) }
        try await withEchoServer { server, _ in
            async let outcome = failureAndTime { try await client.get(blackhole.url()) }
            for _ in 0..<10 {
                let response = try await client.get(server.url())
                #expect(response.status == .ok)
            }
            let (error, time) = await outcome
            #expect(error?.code == .timeout)
            #expect(error?.phase == .connect)
            #expect(time >= .milliseconds(490) && time < .seconds(10), "\(time)")
        }
    }

    @Test("time-02: server accepts and says nothing: read (idle) timeout", .timeLimit(.minutes(1)))
    func silence() async throws {
        let client = client {
            $0.head = .milliseconds(800)
            $0.stall = .milliseconds(800)
        }
        let mute = try await RawServer.start(script: [.readRequestHead, .hang])
        let (error, time) = await failureAndTime { try await client.get(mute.url()) }
        #expect(error?.code == .timeout && error?.phase == .head)
        #expect(time >= .milliseconds(790) && time < .seconds(10), "\(time)")
        let stuck = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhal"), .readToEnd,
        ])
        let (late, delay) = await failureAndTime { try await client.get(stuck.url()).bytes() }
        #expect(late?.code == .timeout && late?.phase == .body)
        #expect(delay >= .milliseconds(790) && delay < .seconds(10), "\(delay)")
        try await stuck.wait { $0.openConnections == 0 }
    }

    @Test(
        "time-03: a byte every 100 ms with a read timeout of 1 s and a total deadline of 2 s", .timeLimit(.minutes(1)))
    func drip() async throws {
        let client = client {
            $0.stall = .seconds(1)
            $0.head = .seconds(1)
            $0.total = .seconds(2)
        }
        let server = try await RawServer.start(script: [
            .readRequestHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"),
            .sendSlowly(String(repeating: "x", count: 1000), pause: .milliseconds(100)),
        ])
        let (error, time) = await failureAndTime { try await client.get(server.url()).bytes() }
        #expect(error?.code == .timeout)
        #expect(error?.limit?.name == "timeouts.total")
        #expect(time >= .milliseconds(1990) && time < .seconds(10), "\(time)")
    }

    @Test("time-03: the total deadline ends the reading of an endless body", .timeLimit(.minutes(1)))
    func totalOverTheBody() async throws {
        let client = HTTPClient()
        try await withTestServer { request, responder in
            try await responder.send(request.path == "/first" ? .ok() : .source(length: nil))
        } run: { server in
            // The first request makes the connection, so that the deadline of the second passes during the body.
            _ = try await client.get(server.url("/first"))
            let (error, time) = await failureAndTime {
                let response = try await client.get(server.url(), options: .timeout(total: .seconds(1)))
                for try await _ in response.body {}
            }
            #expect(error?.code == .timeout)
            #expect(time < .seconds(10), "\(time)")
            try await server.wait { $0.openConnections == 0 }
        }
    }

    @Test(
        "time-10: client shut down with requests in flight; twice; new request afterwards", .timeLimit(.minutes(1)),
        arguments: [true, false])
    func shutDown(graceful: Bool) async throws {
        let mayAnswer = TestSignal()
        try await withTestServer { _ in
            try await mayAnswer.wait()
            return .ok("late")
        } run: { server in
            let client = HTTPClient()
            async let inFlight = Result { try await client.get(server.url()).text() }
            try await server.wait { $0.requests == 1 }
            async let ending: Void = client.shutDown(graceful: graceful)
            // As documented: a graceful shutdown lets the request finish, any other fails it at once.
            if graceful { mayAnswer.fire() }
            switch await inFlight {
            case .success(let text): #expect(graceful && text == "late")
            case .failure(let error): #expect(!graceful && (error as? SockeyeError)?.code != .timeout, "\(error)")
            }
            await ending
            await client.shutDown(graceful: graceful)
            let error = await failure { try await client.get(server.url()) } as? SockeyeError
            #expect(error?.code == .shutDown)
            mayAnswer.fire()
            try await server.wait { $0.openConnections == 0 }
            #expect(server.activity.requests == 1)
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
