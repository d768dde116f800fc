import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("Retries", .timeLimit(.minutes(1)))
struct RetryTests {
    private let url = "http://a.example/"

    @Test("a request is repeated while its response has a transient status", arguments: [408, 429, 500, 502, 503, 504])
    func statuses(status: Int) async throws {
        let mock = MockTransport()
        mock.enqueue(.status(status), .status(status), .ok("at last"))
        let response = try await HTTPClient.retrying(mock, .plain()).get(url)
        #expect(try await response.text() == "at last")
        #expect(response.history.map(\.reason) == [.retried, .retried])
        #expect(response.history.map(\.status?.code) == [status, status])
    }

    @Test(
        "a response whose status is not transient is returned without a retry",
        arguments: [200, 204, 302, 304, 400, 401, 403, 404, 405, 409, 410, 412, 416, 422, 425, 501, 505, 511, 599])
    func answers(status: Int) async throws {
        let mock = MockTransport { _ in .status(status) }
        let response = try await HTTPClient.retrying(mock, .plain()).get(url)
        #expect(response.status.code == status)
        #expect(mock.requests.count == 1)
        #expect(response.history.isEmpty)
    }

    @Test("a transient error is retried, and any other error is not")
    func errors() async throws {
        let transient = MockTransport { _ in throw SockeyeError.failure(.connectionClosed) }
        let error = await #expect(throws: SockeyeError.self) {
            try await HTTPClient.retrying(transient, .plain(max: 2)).get(url)
        }
        #expect(error?.code == .connectionClosed)
        #expect(error?.attempt == 3)
        #expect(error?.history.map(\.error?.code) == [.connectionClosed, .connectionClosed])
        #expect(transient.requests.count == 3)
        let final = MockTransport { _ in throw SockeyeError.failure(.malformedResponse) }
        let other = await #expect(throws: SockeyeError.self) {
            try await HTTPClient.retrying(final, .plain()).get(url)
        }
        #expect(other?.code == .malformedResponse)
        #expect(other?.attempt == 1)
        #expect(final.requests.count == 1)
    }

    @Test("after the last retry the call returns the last response", arguments: [(-1, 1), (0, 1), (1, 2), (5, 6)])
    func limit(max: Int, requests: Int) async throws {
        let mock = MockTransport { _ in .text("busy", status: 503) }
        let response = try await HTTPClient.retrying(mock, .plain(max: max)).get(url)
        #expect(try await response.text() == "busy")
        #expect(mock.requests.count == requests)
        #expect(response.history.count == requests - 1)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let method: HTTPRequest.Method
        var headers: Headers = [:]
        var isIdempotent: Bool?
        var body = OutgoingRequest.Body.none
        let requests: Int

        var testDescription: String {
            "\(method) \(headers) \(isIdempotent.map { "\($0)" } ?? "") \(body.isReplayable)"
        }
    }

    static let rows =
        [.get, .head, .options, .trace, .put, .delete, HTTPRequest.Method("QUERY") ?? .post].map {
            Row(method: $0, requests: 2)
        }
        + [.post, .patch, HTTPRequest.Method("LOCK") ?? .post].map { Row(method: $0, requests: 1) } + [
            Row(method: .post, headers: ["idempotency-key": "1"], requests: 2),
            Row(method: .post, isIdempotent: true, requests: 2),
            Row(method: .post, headers: ["idempotency-key": "1"], isIdempotent: false, requests: 1),
            Row(method: .get, isIdempotent: false, requests: 1),
            Row(method: .put, body: "content", requests: 2),
            Row(method: .put, body: .stream(Elements([[1] as [UInt8]])), requests: 1),
            Row(method: .put, body: .stream(makingEach: { Elements([[1] as [UInt8]]) }), requests: 2),
        ]

    @Test("only a request that may be sent twice is repeated, with its whole body", arguments: rows)
    func repeatable(row: Row) async throws {
        let mock = MockTransport()
        mock.enqueue(.status(503), .ok())
        var options = OutgoingRequest.Options()
        options.isIdempotent = row.isIdempotent
        let request = try OutgoingRequest(
            method: row.method, url: url, headers: row.headers, body: row.body, options: options)
        let response = try await HTTPClient.retrying(mock, .plain()).send(request)
        #expect(response.status.code == (row.requests == 2 ? 200 : 503))
        #expect(mock.requests.count == row.requests)
        #expect(Set(mock.requests.map(\.body)).count == 1)
    }

    @Test("the properties of the policy decide on retries")
    func properties() async throws {
        let mock = MockTransport()
        mock.enqueue(.status(409), .ok("created"))
        let policy = RetryPolicy.plain {
            $0.methods = [.post]
            $0.statuses = [409]
            $0.isTransient = { $0.code == .malformedResponse }
        }
        let client = try HTTPClient.retrying(mock, policy)
        #expect(try await client.post(url).text() == "created")
        mock.enqueue(.status(409))
        #expect(try await client.get(url).status.code == 409)
        mock.enqueue(.status(503))
        #expect(try await client.post(url).status.code == 503)
        let odd = MockTransport { request in
            if request.headers.isEmpty { throw SockeyeError.failure(.malformedResponse) }
            throw SockeyeError.failure(.cancelled, blame: .caller)
        }
        let picky = try HTTPClient.retrying(odd, .plain(max: 1) { $0.isTransient = { _ in true } })
        await #expect(throws: SockeyeError.self) { try await picky.get(url) }
        #expect(odd.requests.count == 2)
        await #expect(throws: SockeyeError.self) { try await picky.get(url, headers: ["X": "cancelled"]) }
        #expect(odd.requests.count == 3)
    }

    @Test("each URL of a chain of redirects has its own retries")
    func redirects() async throws {
        let mock = MockTransport()
        mock.enqueue(.status(503), .redirect(to: "/next"), .status(503), .status(503), .ok("there"))
        let response = try await HTTPClient.retrying(mock, .plain(max: 2)).get(url)
        #expect(try await response.text() == "there")
        #expect(response.history.map(\.reason) == [.retried, .redirected, .retried, .retried])
        #expect(mock.requests.map(\.path) == ["/", "/", "/next", "/next", "/next"])
    }

    @Test("a call can have its own retry policy or none")
    func scopes() async throws {
        let mock = MockTransport { _ in .status(503) }
        let client = try HTTPClient.retrying(mock, .plain(max: 1))
        _ = try await client.get(url, options: .intercepting(.retry(.plain(max: 4))))
        #expect(mock.requests.count == 5)
        _ = try await client.get(url, options: .skipping(.retries))
        #expect(mock.requests.count == 6)
        _ = try await client.removing(.retries).get(url)
        #expect(mock.requests.count == 7)
    }

    @Test("interceptors inside the retry policy see every attempt; those outside see only the last")
    func stages() async throws {
        let mock = MockTransport()
        mock.enqueue(.status(503), .ok())
        let (inner, outer) = (Recorder<Int>(), Recorder<Int>())
        let client = try HTTPClient.retrying(mock, .plain())
            .adding(Statuses(seen: inner, stage: .attempt)).adding(Statuses(seen: outer, stage: .call))
        _ = try await client.get(url)
        #expect(inner.values == [503, 200] && outer.values == [200])
    }

    @Test("an error that an inner policy throws before the request is sent leads to a retry", arguments: [false, true])
    func preparing(waits: Bool) async throws {
        let mock = MockTransport { _ in .ok() }
        let failures = Recorder<Int>()
        let client = try HTTPClient.retrying(mock, .plain()).adding(Failing(waits: waits, failures: failures))
        let response = try await client.get(url)
        #expect(response.status == .ok)
        #expect(response.history.map(\.error?.code) == [.connectionClosed, .connectionClosed])
        #expect(mock.requests.count == 1)
    }
}

/// Records the statuses of responses.
private struct Statuses: Interceptor {
    let seen: Recorder<Int>
    let stage: Call.Stage

    func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        let response = try await call.proceed(request)
        seen.append(response.status.code)
        return response
    }
}

/// Fails twice before the request is sent, like a policy that cannot get a token.
private struct Failing: SynchronousInterceptor {
    let stage = Call.Stage.authentication
    let waits: Bool
    let failures: Recorder<Int>

    func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        try await interceptAlone(request, in: call)
    }

    func prepare(
        _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource,
        for observer: CallObserver?
    ) throws(SockeyeError) -> Preparation {
        if !waits { try fail() }
        return waits ? .waiting : .ready
    }

    func prepareWaiting(_ request: OutgoingRequest, in call: Call) async throws(SockeyeError) -> OutgoingRequest {
        try fail()
        return request
    }

    private func fail() throws(SockeyeError) {
        failures.append(1)
        if failures.values.count < 3 { throw .failure(.connectionClosed) }
    }
}
