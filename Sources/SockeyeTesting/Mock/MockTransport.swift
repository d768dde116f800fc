public import Sockeye
public import SockeyeEngine
import Synchronization

/// A transport that answers a client's requests in memory, without a socket, server or thread.
///
/// ```swift
/// let client = HTTPClient(transport: MockTransport { request in
///     switch request {
///     case "GET /users/1": .json(["name": "Ada"])
///     default: .status(.notFound)
///     }
/// })
/// ```
///
/// Answers can also be queued or bound to a pattern. Every request is kept, so a test can inspect and verify it:
///
/// ```swift
/// let mock = MockTransport()
/// mock.answer("GET /users/{id}") { request in
///     .json(["id": request.parameters["id"]])
/// }
/// mock.answer(
///     "POST /users", body: .json(["name": "Ada"]),
///     with: .status(.serviceUnavailable), .status(.created))
/// mock.enqueue(.failure(.refused), .ok("first try"))
/// …
/// try mock.verify("POST /users", times: 2)
/// try mock.verify("DELETE *", times: 0)
/// try mock.checkForFailures()
/// ```
///
/// The transport looks for an answer in the queue, then among the bound answers (the latest first), then in the
/// closure. Without an answer the request fails with ``TestServerError`` (`unexpectedRequest`) as the cause; the
/// message names the closest pattern. An error thrown by a closure reaches the caller: a `SockeyeError` unchanged, any
/// other error as the cause of a `SockeyeError`.
///
/// The client's policies work as over sockets. Interim responses, upload progress and a call's limit for its response
/// body (``/Sockeye/OutgoingRequest/Options/bodyLimit``) work as well. The deadlines for head, stalls and the whole
/// call follow the mock's clock. A mock has no content codings, connection reuse or limits on heads. Test these with a
/// ``TestServer``, a ``RawServer`` or a ``FaultProxy``.
public final class MockTransport: HTTPTransport {
    /// A closure that answers a request.
    public typealias Handler = @Sendable (MockRequest) async throws -> TestServerResponse

    struct Rule: Sendable {
        /// The number of requests that a rule has answered, in an object that all copies of the rule share.
        final class Uses: Sendable {
            let count = Atomic(0)
        }

        enum Answer: Sendable {
            case handler(Handler)
            /// The responses in order; the last one is repeated. Empty only in the rules of `verify` and
            /// `requests(matching:body:)`, which answer no request.
            case sequence([TestServerResponse])
        }

        let pattern: RequestPattern
        let body: BodyPattern
        let answer: Answer
        let uses = Uses()

        /// Returns a line for each difference; empty if the request matches.
        func differences(from request: MockRequest) -> [String] {
            let lines = pattern.differences(from: request.facts)
            return lines.isEmpty ? body.differences(request).map { "body: \($0)" } : lines
        }
    }

    private struct State {
        var queue: [TestServerResponse] = []
        var rules: [Rule] = []
        var requests: [MockRequest] = []
        var unexpected: [TestServerError] = []
    }

    private let state = Mutex(State())
    private let fallback: Handler?
    private let bodyLimit: Int
    private let settings: MockSettings

    /// Makes a transport without a closure; set its answers with ``enqueue(_:)`` and ``answer(_:body:with:)``.
    ///
    /// - Parameters:
    ///   - bodyLimit: The most bytes of a request body to collect; a larger body fails the request. Default 16 MiB.
    ///   - configuration: Its ``/Sockeye/ClientConfiguration/timeouts`` (head, stall, total) and
    ///     ``/Sockeye/ResponseLimits/bodyBytes`` apply as for a client over sockets; its other settings are ignored.
    ///   - clock: The clock that delays and deadlines follow. Default nil: the system's clock.
    public init(
        bodyLimit: Int = 16 << 20, configuration: ClientConfiguration = ClientConfiguration(),
        clock: ManualClock? = nil
    ) {
        fallback = nil
        self.bodyLimit = bodyLimit
        settings = MockSettings(timeouts: configuration.timeouts, limits: configuration.limits, clock: clock)
    }

    /// Makes a transport that answers with a closure.
    ///
    /// - Parameters:
    ///   - bodyLimit: The most bytes of a request body to collect; a larger body fails the request. Default 16 MiB.
    ///   - configuration: As for ``init(bodyLimit:configuration:clock:)``.
    ///   - clock: The clock that delays and deadlines follow. Default nil: the system's clock.
    ///   - handler: Called for each request that has no queued or bound answer.
    public init(
        bodyLimit: Int = 16 << 20, configuration: ClientConfiguration = ClientConfiguration(),
        clock: ManualClock? = nil, handler: @escaping Handler
    ) {
        fallback = handler
        self.bodyLimit = bodyLimit
        settings = MockSettings(timeouts: configuration.timeouts, limits: configuration.limits, clock: clock)
    }

    // MARK: Answers

    /// Queues answers. Each is given once, in order, to the next request of any kind.
    public func enqueue(_ responses: TestServerResponse...) {
        state.withLock { $0.queue += responses }
    }

    /// Binds an answer to a method and a path; it is given any number of times.
    ///
    /// - Parameters:
    ///   - method: The method; nil for any.
    ///   - path: The whole path in the notation of ``RequestPattern``, percent-encoded; a `*` at the end matches every
    ///     path with this prefix.
    ///   - handler: Makes the response.
    public func answer(_ method: HTTPRequest.Method?, _ path: String, with handler: @escaping Handler) {
        add(Rule(pattern: RequestPattern(method, path), body: .any, answer: .handler(handler)))
    }

    /// Binds an answer to requests that match; it is given any number of times.
    ///
    /// - Parameters:
    ///   - pattern: The pattern, such as `GET /users/{id}`.
    ///   - body: The condition on the body. Default: any body.
    ///   - handler: Makes the response.
    public func answer(_ pattern: RequestPattern, body: BodyPattern = .any, with handler: @escaping Handler) {
        add(Rule(pattern: pattern, body: body, answer: .handler(handler)))
    }

    /// Binds answers to requests that match. The answers are given in order, and the last one is repeated.
    ///
    /// - Parameters:
    ///   - pattern: The pattern, such as `GET /users/{id}`.
    ///   - body: The condition on the body. Default: any body.
    ///   - first: The first answer.
    ///   - further: The answers after the first.
    public func answer(
        _ pattern: RequestPattern, body: BodyPattern = .any, with first: TestServerResponse,
        _ further: TestServerResponse...
    ) {
        add(Rule(pattern: pattern, body: body, answer: .sequence([first] + further)))
    }

    private func add(_ rule: Rule) {
        state.withLock { $0.rules.append(rule) }
    }

    /// The number of queued answers that no request has used yet.
    public var pendingAnswers: Int { state.withLock { $0.queue.count } }

    /// Discards all requests, failures, queued answers and bound answers.
    public func reset() {
        state.withLock { $0 = State() }
    }

    // MARK: Received requests

    /// Every request so far, in the order of arrival.
    public var requests: [MockRequest] { state.withLock { $0.requests } }

    /// The errors of requests that had no answer.
    var unexpected: [TestServerError] { state.withLock { $0.unexpected } }

    /// Answers a request; called by the client.
    public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        try Task.checkCancellation()
        let received = try await MockRequest(collecting: request, upTo: bodyLimit)
        // If the task is cancelled, a body from an AsyncStream ends early, without an error.
        try Task.checkCancellation()
        let response = try await answer(received)
        return try await MockExchange(request: received, settings: settings).response(response)
    }

    private func answer(_ request: MockRequest) async throws -> TestServerResponse {
        let (queued, rules): (TestServerResponse?, [Rule]) = state.withLock { state in
            state.requests.append(request)
            if !state.queue.isEmpty { return (state.queue.removeFirst(), []) }
            return (nil, state.rules)
        }
        if let queued { return queued }
        // Matching runs outside the lock because a pattern may run code of the test.
        if let rule = rules.last(where: { $0.differences(from: request).isEmpty }) {
            return try await answer(request, by: rule)
        }
        guard let fallback else { throw refusal(of: request, rules) }
        return try await fallback(request)
    }

    private func answer(_ request: MockRequest, by rule: Rule) async throws -> TestServerResponse {
        let earlier = rule.uses.count.wrappingAdd(1, ordering: .relaxed).oldValue
        switch rule.answer {
        case .sequence(let responses): return responses[min(earlier, responses.count - 1)]
        case .handler(let handler):
            var request = request
            request.parameters = request.parameters(in: rule.pattern) ?? [:]
            return try await handler(request)
        }
    }

    /// Makes and records the error for a request without an answer. The message lists the differences between the
    /// request and the closest pattern.
    private func refusal(of request: MockRequest, _ rules: [Rule]) -> SockeyeError {
        var message = "no answer for \(request.line)"
        let closest = rules.reversed().map { ($0, $0.differences(from: request)) }.min { $0.1.count < $1.1.count }
        if let (rule, differences) = closest {
            message += "; the closest pattern, \(rule.pattern), differs in: \(differences.joined(separator: "; "))"
        }
        let error = TestServerError(.unexpectedRequest, message)
        state.withLock { $0.unexpected.append(error) }
        return SockeyeError(error, request.identity)
    }
}

extension SockeyeError {
    /// Makes the library's error for an unexpected request, with a code that no policy retries.
    init(_ error: TestServerError, _ request: RequestIdentity) {
        var fields = Fields(.invalidRequest, phase: .send, blame: .caller, message: error.message)
        fields.hasLines = true
        fields.underlying = error
        fields.request = request
        self.init(fields)
    }
}
