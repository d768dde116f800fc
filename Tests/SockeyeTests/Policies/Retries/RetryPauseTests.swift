import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// The time a call waits between its attempts.
@Suite("Pauses of retries", .timeLimit(.minutes(1)))
struct RetryPauseTests {
    private let url = "http://a.example/"

    /// Returns the pauses that a policy makes between the answers.
    private func pauses(
        _ policy: RetryPolicy, _ answers: [TestServerResponse],
        options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) async throws -> (pauses: [Duration], response: IncomingResponse) {
        let mock = MockTransport()
        for answer in answers { mock.enqueue(answer) }
        let clock = ManualClock()
        let pauses = Recorder<Duration?>()
        var policy = policy
        policy.onRetry = { pauses.append($0.pause) }
        let client = try HTTPClient.retrying(mock, policy, clock: clock)
        let response = try await clock.advancing(by: .milliseconds(250)) { try await client.get(url, options: options) }
        return (pauses.values.compactMap(\.self), response)
    }

    @Test("pauses grow with the backoff and are really made")
    func backoff() async throws {
        let policy = RetryPolicy.plain { $0.backoff = .exponential(jitter: .none) }
        let (pauses, response) = try await pauses(policy, [.status(503), .status(503), .status(503), .ok()])
        #expect(pauses == [.milliseconds(500), .seconds(1), .seconds(2)])
        let starts = response.history.map(\.start)
        #expect(starts.count == 3)
        #expect(zip(starts.dropFirst(), starts).map { $0 - $1 }.elementsEqual([0.5, 1].map { .seconds($0) }, by: >=))
    }

    @Test("the jitter randomises pauses")
    func jitter() async throws {
        let policy = RetryPolicy.plain {
            $0.backoff = .exponential(jitter: .full)
            $0.random = { 0.25 }
        }
        #expect(
            try await pauses(policy, [.status(503), .status(503), .ok()]).pauses
                == [.milliseconds(125), .milliseconds(250)])
    }

    @Test(
        "a pause is as long as the backoff or Retry-After, whichever is longer",
        arguments: [
            ("3", nil, .seconds(3)), ("0", nil, .milliseconds(500)), ("30", nil, .seconds(30)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", nil, .seconds(10)),
            ("Sunday, 06-Nov-94 08:49:47 GMT", nil, .seconds(10)), ("Sun Nov  6 08:49:47 1994", nil, .seconds(10)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", "Sun, 06 Nov 1994 08:49:45 GMT", .seconds(2)),
            ("soon", nil, .milliseconds(500)), ("-5", nil, .milliseconds(500)), ("", nil, .milliseconds(500)),
        ] as [(String, String?, Duration)])
    func retryAfter(value: String, date: String?, pause: Duration) async throws {
        var headers: Headers = ["Retry-After": value]
        if let date { headers[.date] = date }
        let mock = MockTransport()
        mock.enqueue(.status(429, headers: headers), .ok())
        let pauses = Recorder<Duration?>()
        let waits = TestSignal()
        let policy = RetryPolicy.plain {
            $0.backoff = .constant(.milliseconds(500))
            $0.onRetry = { proposed in
                pauses.append(proposed.pause)
                waits.fire()
            }
        }
        // The clock stands still until the pause is chosen, because dates are compared with its time.
        let clock = ManualClock(unixTime: 784_111_777)
        let client = try HTTPClient.retrying(mock, policy, clock: clock)
        let task = Task { try await client.get(url) }
        try await waits.wait(timeout: .seconds(20))
        let response = try await clock.advancing(by: .seconds(1)) { try await task.value }
        #expect(pauses.values == [pause])
        #expect(response.status == .ok)
    }

    @Test(
        "a response whose Retry-After is too long is returned",
        arguments: ["31", "99999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
    func tooLong(value: String) async throws {
        let answer = TestServerResponse.text("come back later", status: 503, headers: ["Retry-After": value])
        let (pauses, response) = try await pauses(.plain(), [answer])
        #expect(pauses.isEmpty)
        #expect(try await response.text() == "come back later")
        let patient = RetryPolicy.plain { $0.maximumRetryAfter = .seconds(31) }
        if value == "31" {
            #expect(try await self.pauses(patient, [answer, .ok()]).pauses == [.seconds(31)])
        }
        let deaf = RetryPolicy.plain { $0.respectsRetryAfter = false }
        #expect(try await self.pauses(deaf, [answer, .ok()]).pauses == [.zero])
    }

    @Test("if a pause would outlast the total deadline, the call ends with its last response")
    func deadline() async throws {
        let policy = RetryPolicy.plain { $0.backoff = .exponential(base: .seconds(10), jitter: .none) }
        let (pauses, response) = try await pauses(
            policy, [.status(503), .text("still busy", status: 503)], options: .timeout(total: .seconds(25)))
        #expect(pauses == [.seconds(10)])
        #expect(try await response.text() == "still busy")
        #expect(response.history.count == 1)
    }

    @Test("if a pause would outlast the total deadline, the call ends with its last error, not with a timeout")
    func deadlineAfterError() async throws {
        let mock = MockTransport { _ in throw SockeyeError.failure(.connectionClosed) }
        let client = try HTTPClient.retrying(mock, .plain { $0.backoff = .constant(.seconds(10)) })
        let error = await #expect(throws: SockeyeError.self) {
            try await client.get(url, options: .timeout(total: .seconds(10)))
        }
        #expect(error?.code == .connectionClosed)
        #expect(mock.requests.count == 1)
    }

    @Test("cancellation ends a pause at once")
    func cancellation() async throws {
        let mock = MockTransport { _ in .status(503) }
        let waits = TestSignal()
        let policy = RetryPolicy.plain {
            $0.backoff = .constant(.seconds(3600))
            $0.onRetry = { _ in waits.fire() }
        }
        let client = try HTTPClient.retrying(mock, policy)
        let task = Task { try await client.get(url) }
        try await waits.wait(timeout: .seconds(20))
        task.cancel()
        let error = await #expect(throws: SockeyeError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(error?.history.map(\.status?.code) == [503])
        #expect(mock.requests.count == 1)
    }
}
