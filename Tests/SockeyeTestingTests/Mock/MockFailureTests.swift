import Sockeye
import SockeyeTesting
import Testing

@Suite("Mock transport: time, limits and failures", .timeLimit(.minutes(1)))
struct MockFailureTests {
    private let url = "http://api.test/x"

    @Test(
        "the transport can fail in every phase, as sockets do",
        arguments: [
            (.unresolved, .resolutionFailed, .resolve, .network), (.refused, .connectFailed, .connect, .network),
            (.connectTimeout, .timeout, .connect, .network), (.tls, .tlsFailed, .tls, .peer),
            (.closed, .connectionClosed, .head, .peer), (.reset, .connectionClosed, .head, .peer),
            (.malformed, .malformedResponse, .head, .peer),
            (.init(.limitExceeded, in: .head, blame: .policy), .limitExceeded, .head, .policy),
        ] as [(TestServerResponse.Failure, SockeyeError.Code, SockeyeError.Phase, SockeyeError.Blame)])
    func heads(
        failure: TestServerResponse.Failure, code: SockeyeError.Code, phase: SockeyeError.Phase,
        blame: SockeyeError.Blame
    ) async throws {
        let mock = MockTransport()
        mock.answer("GET /x", with: .failure(failure))
        let error = await #expect(throws: SockeyeError.self) { try await HTTPClient(transport: mock).get(url) }
        #expect(error?.code == code)
        #expect(error?.phase == phase)
        #expect(error?.blame == blame)
        #expect(error?.url == url)
    }

    @Test(
        "a response can break off during its body", arguments: [TestServerResponse.Failure.closed, .reset], [0, 3, 5])
    func bodies(failure: TestServerResponse.Failure, position: Int) async throws {
        for response in [TestServerResponse.ok("hello"), .stream(Pieces(["he", "llo"]), length: 5)] {
            let client = HTTPClient(transport: MockTransport { _ in response.cut(after: position, by: failure) })
            let response = try await client.get(url)
            #expect(response[.contentLength] == "5")
            var received = ""
            let error = await #expect(throws: SockeyeError.self) {
                for try await piece in response.body { received += String(decoding: piece, as: UTF8.self) }
            }
            #expect(error?.code == .connectionClosed && error?.phase == .body)
            #expect(received == String("hello".prefix(position)))
        }
    }

    @Test("failed requests are retried as over sockets")
    func retries() async throws {
        let mock = MockTransport()
        mock.enqueue(.failure(.refused), .failure(.reset), .ok("third"))
        let client = HTTPClient(transport: mock).adding(.retry(max: 2, backoff: .none))
        #expect(try await client.get(url).text() == "third")
    }

    @Test("a delayed answer follows the clock of the test")
    func delays() async throws {
        let clock = ManualClock()
        let client = HTTPClient(transport: MockTransport(clock: clock) { _ in .ok("late").delayed(by: .seconds(30)) })
        let start = clock.now
        async let text = client.get(url).text()
        try await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        #expect(try await text == "late")
        #expect(start.duration(to: clock.now) == .seconds(30))
    }

    @Test("deadlines of the call and of the configuration apply to head, stall and total")
    func deadlines() async throws {
        let clock = ManualClock()
        var configuration = ClientConfiguration()
        configuration.timeouts.head = .seconds(5)
        configuration.timeouts.stall = .seconds(7)
        let mock = MockTransport(configuration: configuration, clock: clock)
        mock.answer("/slow", with: .ok().delayed(by: .seconds(6)))
        mock.answer("/never", with: .never)
        mock.answer("/stalls", with: .ok("hello").cut(after: 2, by: .silence))
        let client = HTTPClient(transport: mock)
        func failure(_ path: String, _ options: OutgoingRequest.Options = .init()) async throws -> SockeyeError? {
            await #expect(throws: SockeyeError.self) {
                try await clock.advancing(by: .seconds(1)) {
                    try await client.get("http://api.test\(path)", options: options).bytes()
                }
            }
        }
        for path in ["/slow", "/never"] {
            let error = try await failure(path)
            #expect(error?.code == .timeout && error?.phase == .head)
            #expect(error?.limit?.name == "timeouts.head")
        }
        #expect(try await failure("/slow", .timeout(total: .seconds(2)))?.limit?.name == "timeouts.total")
        let stalled = try await failure("/stalls")
        #expect(stalled?.code == .timeout && stalled?.phase == .body)
        #expect(stalled?.limit?.name == "timeouts.stall")
        #expect(try await failure("/stalls", .timeout(total: .seconds(2)))?.limit?.name == "timeouts.total")
    }

    @Test("a delay before an answer that never comes counts towards the head deadline")
    func delayedNever() async throws {
        let clock = ManualClock()
        var configuration = ClientConfiguration()
        configuration.timeouts.head = .seconds(5)
        let mock = MockTransport(configuration: configuration, clock: clock) { _ in .never.delayed(by: .seconds(3)) }
        let task = Task { [url] in try await HTTPClient(transport: mock).get(url).status }
        for seconds in [3, 2] {
            try await clock.waitForSleepers()
            clock.advance(by: .seconds(seconds))
        }
        let error = await #expect(throws: SockeyeError.self) { try await task.value }
        #expect(error?.code == .timeout && error?.limit?.name == "timeouts.head")
    }

    @Test("retries follow the clock of the test")
    func clockOfPolicies() async throws {
        let clock = ManualClock()
        let mock = MockTransport(clock: clock)
        mock.enqueue(.status(503, headers: [.retryAfter: "30"]), .ok("half a minute later"))
        let client = HTTPClient(transport: mock, clock: clock).adding(.retry(max: 1))
        let text = try await clock.advancing(by: .seconds(5)) { try await client.get(url).text() }
        #expect(text == "half a minute later")
    }

    @Test("the body limits of the call and of the configuration apply")
    func bodyLimits() async throws {
        let streamed = TestServerResponse.stream(Pieces(["abc", "def"]))
        for response in [TestServerResponse.ok("abcdef"), streamed] {
            let client = HTTPClient(transport: MockTransport { _ in response })
            let error = await #expect(throws: SockeyeError.self) {
                try await client.get(url, options: .limit(body: 5)).bytes()
            }
            #expect(error?.code == .limitExceeded && error?.limit?.name == "bodyLimit")
            #expect(try await client.get(url, options: .limit(body: 6)).bytes().count == 6)
            var configuration = ClientConfiguration()
            configuration.limits.bodyBytes = 5
            let limited = HTTPClient(transport: MockTransport(configuration: configuration) { _ in response })
            let other = await #expect(throws: SockeyeError.self) { try await limited.get(url).bytes() }
            #expect(other?.code == .limitExceeded && other?.limit?.name == "bodyBytes")
        }
    }
}
