import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@Suite("Interceptors", .timeLimit(.minutes(1))) struct InterceptorTests {
    /// Logs its name before and after the rest of the chain.
    private struct Noting: Interceptor {
        let name: String
        let stage: Call.Stage
        let log: Recorder<String>

        init(_ name: String, _ log: Recorder<String>, at stage: Call.Stage = .call) {
            self.name = name
            self.log = log
            self.stage = stage
        }

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            log.append("\(name)>")
            defer { log.append("<\(name)") }
            return try await call.proceed(request)
        }
    }

    private struct Closure: Interceptor {
        let stage: Call.Stage
        let body: @Sendable (OutgoingRequest, Call) async throws -> IncomingResponse

        init(
            at stage: Call.Stage = .call,
            _ body: @escaping @Sendable (OutgoingRequest, Call) async throws -> IncomingResponse
        ) {
            self.stage = stage
            self.body = body
        }

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            try await body(request, call)
        }
    }

    private struct Broken: Error {}

    /// A closure of the application for which a call waits.
    enum AwaitedClosure: CaseIterable, Sendable {
        case challengeHandler, redirectDecision, retryDecision, signer

        /// A response after which the client calls the closure, unless it has done so before the request.
        var response: TestServerResponse {
            switch self {
            case .challengeHandler: .status(401, headers: [.wwwAuthenticate: "Basic realm=r"])
            case .redirectDecision: .redirect(to: "/next")
            case .retryDecision: .status(503)
            case .signer: .ok()
            }
        }

        /// Returns the client with this closure, which does the given work.
        func added(to client: HTTPClient, _ work: @escaping @Sendable () async -> Void) -> HTTPClient {
            switch self {
            case .challengeHandler:
                client.adding(
                    .challengeHandler { _ in
                        await work()
                        return .cancel
                    })
            case .redirectDecision:
                client.adding(
                    .redirects(
                        .following { _ in
                            await work()
                            return .stop
                        }))
            case .retryDecision:
                client.adding(
                    .retry(
                        .plain {
                            $0.decide = { _ in
                                await work()
                                return .stop
                            }
                        }))
            case .signer: client.adding(.signing { _, _ in await work() })
            }
        }
    }

    private let url = "http://a.example/"

    @Test("interceptors run in the order of their stages, and within a stage those of client, scope and call in turn")
    func order() async throws {
        let log = Recorder<String>()
        let mock = MockTransport { request in
            request.path == "/" ? .redirect(to: "/next") : .ok()
        }
        let client = HTTPClient(
            transport: mock, interceptors: [Noting("attempt", log, at: .attempt), Noting("client", log)])
        let scope = client.adding(Noting("scope", log)).scoped(headers: ["X": "1"])
        _ = try await scope.get(url, options: .intercepting(Noting("call", log)))
        #expect(
            log.values == [
                "client>", "scope>", "call>", "attempt>", "<attempt", "attempt>", "<attempt", "<call", "<scope",
                "<client",
            ])
    }

    @Test("an interceptor can change the request, and inner interceptors see the change")
    func changing() async throws {
        let mock = MockTransport { request in .ok(request["X-Tenant"] ?? "none") }
        let client = HTTPClient(transport: mock).adding(
            Closure { request, call in
                var request = request
                request.headers["X-Tenant"] = "sockeye"
                return try await call.proceed(request)
            })
        #expect(try await client.get(url).text() == "sockeye")
    }

    @Test("an interceptor can answer by itself, and nothing is sent")
    func answering() async throws {
        let mock = MockTransport()
        let client = HTTPClient(transport: mock).adding(
            Closure { request, _ in IncomingResponse(status: .ok, body: Bytes("cached"), url: request.url) })
        #expect(try await client.get(url).text() == "cached")
        #expect(mock.requests.isEmpty)
    }

    @Test("an interceptor can send a request again and record it in the history")
    func repeating() async throws {
        let mock = MockTransport()
        mock.enqueue(.status(503), .ok("better"))
        let client = HTTPClient(transport: mock).adding(
            Closure { request, call in
                let first = try await call.proceed(request)
                guard first.status == .serviceUnavailable else { return first }
                call.record(request, .success(first), reason: .init("tried twice"))
                return try await call.proceed(request)
            })
        let response = try await client.get(url)
        #expect(try await response.text() == "better")
        #expect(response.history.map(\.reason.description) == ["tried twice"])
    }

    @Test("an interceptor's error reaches the caller unchanged, as a cancellation or as the underlying error")
    func throwing() async throws {
        let mock = MockTransport { _ in .ok() }
        func thrown(_ error: any Error & Sendable) async -> SockeyeError? {
            let client = HTTPClient(transport: mock).adding(Closure { _, _ in throw error })
            return await #expect(throws: SockeyeError.self) { try await client.get(url) }
        }
        let own = await thrown(Broken())
        #expect(own?.code == .interceptorFailed)
        #expect(own?.underlying is Broken)
        #expect(own?.blame == .caller)
        #expect(own?.url == url)
        #expect(await thrown(CancellationError())?.code == .cancelled)
        let library = try #require(await thrown(Broken()))
        #expect(await thrown(library)?.underlying is Broken)
    }

    @Test("an interceptor sees the errors of inner interceptors")
    func errors() async throws {
        let client = HTTPClient(transport: MockTransport()).adding(
            Closure { request, call in
                do throws(SockeyeError) {
                    return try await call.proceed(request)
                } catch {
                    return IncomingResponse(status: .ok, body: Bytes("instead of \(error.code)"), url: request.url)
                }
            })
        #expect(try await client.get(url).text() == "instead of invalidRequest")
    }

    @Test("an interceptor waits on the client's clock, within the total deadline of the call")
    func waiting() async throws {
        let clock = ManualClock()
        try await withTestServer { _ in
            .ok("served")
        } run: { server in
            let woke = TestSignal()
            let client = HTTPClient(clock: clock).adding(
                Closure { request, call in
                    try await call.sleep(for: .seconds(30))
                    woke.fire()
                    return try await call.proceed(request)
                })
            let text = Task { try await client.get(server.url()).text() }
            // The clock advances only to the end of the sleep, so that it does not pass the deadlines of the exchange.
            try await clock.advancing(by: .seconds(10)) { try await woke.wait() }
            #expect(try await text.value == "served")
            let error = await #expect(throws: SockeyeError.self) {
                try await client.get(server.url(), options: .timeout(total: .seconds(20)))
            }
            #expect(error?.code == .timeout)
            #expect(error?.limit?.name == "timeouts.total")
        }
    }

    @Test("cancelling the task of a call ends the wait of an interceptor")
    func cancelling() async throws {
        let clock = ManualClock()
        let waits = TestSignal()
        let client = HTTPClient(clock: clock).adding(
            Closure { request, call in
                waits.fire()
                try await call.sleep(for: .seconds(30))
                return try await call.proceed(request)
            })
        let task = Task { try await client.get("http://127.0.0.1:1/") }
        try await waits.wait(timeout: .seconds(20))
        task.cancel()
        #expect(await #expect(throws: SockeyeError.self) { try await task.value }?.code == .cancelled)
    }

    @Test(
        "the total deadline and a cancellation end a call whose closure never returns",
        arguments: AwaitedClosure.allCases, [false, true])
    func hangingClosure(closure: AwaitedClosure, isCancelled: Bool) async throws {
        let clock = ManualClock()
        let (asked, release, ended) = (TestSignal(), TestSignal(), TestSignal())
        defer { release.fire() }
        try await withTestServer { _ in
            closure.response
        } run: { server in
            let client = closure.added(to: HTTPClient(clock: clock)) {
                asked.fire()
                // Even cancellation does not end the wait: it takes place in a task that is never cancelled.
                await Task { try? await release.wait(timeout: .seconds(60)) }.value
                if Task.isCancelled { ended.fire() }
            }
            let call = Task { try await client.get(server.url(), options: .timeout(total: .seconds(20))) }
            try await asked.wait()
            if isCancelled { call.cancel() } else { clock.advance(by: .seconds(20)) }
            if closure == .retryDecision, !isCancelled {
                // The outcome that the closure was to decide about says more than the deadline.
                #expect(try await call.value.status == .serviceUnavailable)
            } else {
                let error = await #expect(throws: SockeyeError.self) { try await call.value }
                #expect(error?.code == (isCancelled ? .cancelled : .timeout), "\(String(describing: error))")
                #expect(error?.phase == .prepare)
                #expect(error?.limit?.description == (isCancelled ? nil : "limit timeouts.total: 20.0 seconds"))
            }
            // The call has cancelled the task of the closure without waiting for it.
            release.fire()
            try await ended.wait()
        }
    }
}
