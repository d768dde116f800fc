import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Retry budgets and circuit breakers", .timeLimit(.minutes(1)))
struct RetryBudgetTests {
    private let url = "http://a.example/"

    @Test("a budget limits the retries of all calls and is shared by scopes")
    func budget() async throws {
        let mock = MockTransport { _ in .status(503) }
        let policy = RetryPolicy.plain(max: 10) { $0.budget = .percent(50, minimumPerSecond: 0) }
        let client = try HTTPClient.retrying(mock, policy)
        let scope = client.scoped(headers: ["X": "1"])
        for number in 0..<20 { _ = try await (number % 2 == 0 ? client : scope).get(url) }
        #expect(mock.requests.count == 30)
        _ = try await client.get("http://b.example/")
        #expect(mock.requests.count == 31)
    }

    @Test("successful requests add retries to the budget")
    func earning() async throws {
        let mock = MockTransport { request in .status(request.path == "/" ? 200 : 503) }
        let policy = RetryPolicy.plain(max: 10) { $0.budget = .percent(20, minimumPerSecond: 0) }
        let client = try HTTPClient.retrying(mock, policy)
        for _ in 0..<20 { _ = try await client.get(url) }
        _ = try await client.get(url + "busy")
        #expect(mock.requests.count == 25)
    }

    @Test("the default budget suffices for a few retries")
    func reserve() async throws {
        let mock = MockTransport { _ in .status(503) }
        _ = try await HTTPClient(transport: mock).adding(.retry(max: 5, backoff: .none)).get(url)
        #expect(mock.requests.count == 6)
    }

    @Test("an open circuit rejects requests, names the origin in the error and allows a probe after its cool-down")
    func breaker() async throws {
        let clock = ManualClock()
        let mock = MockTransport { request in request.path == "/good" ? .ok() : .status(503) }
        let policy = RetryPolicy.plain(max: 0) { $0.breaker = .opening(after: 3, coolDown: .seconds(30)) }
        let client = try HTTPClient.retrying(mock, policy, clock: clock)
        for _ in 0..<3 { #expect(try await client.get(url).status.code == 503) }
        let error = await #expect(throws: SockeyeError.self) {
            try await client.scoped(headers: ["X": "1"]).get("http://ada:s3cret@a.example/good")
        }
        #expect(error?.code == .circuitOpen)
        #expect(error?.blame == .policy)
        #expect(error?.message.contains("the circuit breaker of http://a.example is open") == true)
        #expect(error?.message.contains("30.0 seconds") == true)
        #expect(error.map { "\($0)" }?.contains("s3cret") == false)
        #expect(mock.requests.count == 3)
        #expect(try await client.get("http://b.example/good").status == .ok)
        clock.advance(by: .seconds(30))
        #expect(try await client.get(url).status.code == 503)
        await #expect(throws: SockeyeError.self) { try await client.get(url + "good") }
        clock.advance(by: .seconds(30))
        #expect(try await client.get(url + "good").status == .ok)
        #expect(try await client.get(url + "good").status == .ok)
    }

    @Test("a late response to a request sent before the circuit opened does not close it during a probe")
    func lateResponse() async throws {
        let clock = ManualClock()
        let (late, probe) = (TestSignal(), TestSignal())
        let mock = MockTransport { request in
            switch request.path {
            case "/late": try await late.wait()
            case "/probe": try await probe.wait()
            default: return .status(503)
            }
            return .ok()
        }
        let policy = RetryPolicy.plain(max: 0) { $0.breaker = .opening(after: 3, coolDown: .seconds(1)) }
        let client = try HTTPClient.retrying(mock, policy, clock: clock)
        let lateCall = Task { try await client.get(url + "late").status }
        await eventually("the first request is sent") { mock.requests.count == 1 }
        for _ in 0..<3 { #expect(try await client.get(url).status.code == 503) }
        clock.advance(by: .seconds(1))
        let probeCall = Task { try await client.get(url + "probe").status }
        await eventually("the probe is sent") { mock.requests.count == 5 }
        late.fire()
        #expect(try await lateCall.value == .ok)
        #expect(await #expect(throws: SockeyeError.self) { try await client.get(url) }?.code == .circuitOpen)
        probe.fire()
        #expect(try await probeCall.value == .ok)
        #expect(try await client.get(url).status.code == 503)
    }

    @Test("a call whose retries open the circuit ends with its last response")
    func opening() async throws {
        let mock = MockTransport { _ in .text("busy", status: 503) }
        let policy = RetryPolicy.plain(max: 10) { $0.breaker = .opening(after: 4) }
        let client = try HTTPClient.retrying(mock, policy)
        let response = try await client.get(url)
        #expect(try await response.text() == "busy")
        #expect(mock.requests.count == 4)
        #expect(await #expect(throws: SockeyeError.self) { try await client.get(url) }?.code == .circuitOpen)
    }

    @Test("cancellations and statuses below 500 do not count as failures of the origin")
    func neutral() async throws {
        let mock = MockTransport { _ in throw SockeyeError.failure(.cancelled, blame: .caller) }
        let policy = RetryPolicy.plain { $0.breaker = .opening(after: 1) }
        let client = try HTTPClient.retrying(mock, policy)
        for _ in 0..<5 {
            let error = await #expect(throws: SockeyeError.self) { try await client.get(url) }
            #expect(error?.code == .cancelled)
        }
        mock.enqueue(.status(429), .status(404))
        #expect(try await client.get(url).status.code == 404)
        #expect(mock.requests.count == 7)
    }
}
