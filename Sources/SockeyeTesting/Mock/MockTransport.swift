public import Sockeye
public import SockeyeEngine
import Synchronization

/// Answers a client's requests in memory: no socket, no server, no thread.
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
/// For tests that state what they expect, answers can be queued or bound to a pattern, and every request is kept for
/// looking at and for verifying:
///
/// ```swift
/// let mock = MockTransport()
/// mock.answer("GET /users/{id}") { request in .json(["id": request.parameters["id"]]) }
/// mock.answer("POST /users", body: .json(["name": "Ada"]), with: .status(.serviceUnavailable), .status(.created))
/// mock.enqueue(.failure(.refused), .ok("first try"))
/// …
/// try mock.verify("POST /users", times: 2)
/// try mock.verify("DELETE *", times: 0)
/// try mock.checkForFailures()
/// ```
///
/// An answer is looked for in the queue, then among the bound answers (the latest first), then in the closure. Without
/// one the request fails with ``TestServerError`` (`unexpectedRequest`) as the cause, and says which pattern came closest.
/// What a closure throws reaches the caller: a `SockeyeError` as it is, anything else as the cause of one.
///
/// The client's policies work as over sockets, and so do interim responses, the progress of uploads, the limit of a call for
/// the body of its response (``/Sockeye/OutgoingRequest/Options/bodyLimit``) and its deadlines for head, stalls and total, by the clock
/// of the mock. What belongs to connections does not exist here: their reuse, limits on heads, content codings. Test those
/// against a ``TestServer``, a ``RawServer`` or through a ``FaultProxy``.
public final class MockTransport: HTTPTransport {
    /// Answers a request.
    public typealias Handler = @Sendable (MockRequest) async throws -> TestServerResponse

    struct Rule: Sendable {
        enum Answer: Sendable {
            case handler(Handler)
            /// At least one; the last stays.
            case sequence([TestServerResponse])
        }

        let pattern: RequestPattern
        let body: BodyPattern
        let answer: Answer
        var uses = 0

        /// What is different, a line each.
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

    /// Makes a transport that answers what it is told with ``enqueue(_:)`` and ``answer(_:body:with:)``.
    ///
    /// - Parameters:
    ///   - bodyLimit: The most bytes of a request body to collect. Default 16 MiB.
    ///   - configuration: Whose ``/Sockeye/ClientConfiguration/timeouts`` (head, stall, total) and ``/Sockeye/ResponseLimits/bodyBytes`` hold
    ///     here, too, as those of a client over sockets.
    ///   - clock: By which answers are delayed and deadlines pass. Default nil: the system's.
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
    ///   - bodyLimit: The most bytes of a request body to collect. Default 16 MiB.
    ///   - configuration: As for ``init(bodyLimit:configuration:clock:)``.
    ///   - clock: By which answers are delayed and deadlines pass. Default nil: the system's.
    ///   - handler: Called for each request that no queued or bound answer takes.
    public init(
        bodyLimit: Int = 16 << 20, configuration: ClientConfiguration = ClientConfiguration(),
        clock: ManualClock? = nil, handler: @escaping Handler
    ) {
        fallback = handler
        self.bodyLimit = bodyLimit
        settings = MockSettings(timeouts: configuration.timeouts, limits: configuration.limits, clock: clock)
    }

    // MARK: Answers

    /// Queues answers; each is given once, in order, to whatever is requested next.
    public func enqueue(_ responses: TestServerResponse...) {
        state.withLock { $0.queue += responses }
    }

    /// Binds an answer to a method and a path; it is given any number of times.
    ///
    /// - Parameters:
    ///   - method: The method; nil for any.
    ///   - path: The whole path as ``RequestPattern`` has it, percent-encoded; with a `*` at its end all paths that begin so.
    ///   - handler: Makes the response.
    public func answer(_ method: HTTPRequest.Method?, _ path: String, with handler: @escaping Handler) {
        add(Rule(pattern: RequestPattern(method, path), body: .any, answer: .handler(handler)))
    }

    /// Binds an answer to requests that match; it is given any number of times.
    ///
    /// - Parameters:
    ///   - pattern: Such as `GET /users/{id}`.
    ///   - body: What the body has to be. Default any.
    ///   - handler: Makes the response.
    public func answer(_ pattern: RequestPattern, body: BodyPattern = .any, with handler: @escaping Handler) {
        add(Rule(pattern: pattern, body: body, answer: .handler(handler)))
    }

    /// Binds answers to requests that match: each is given once, in order, and the last any number of times.
    ///
    /// - Parameters:
    ///   - pattern: Such as `GET /users/{id}`.
    ///   - body: What the body has to be. Default any.
    ///   - first: The first answer.
    ///   - further: Those behind it.
    public func answer(
        _ pattern: RequestPattern, body: BodyPattern = .any, with first: TestServerResponse,
        _ further: TestServerResponse...
    ) {
        add(Rule(pattern: pattern, body: body, answer: .sequence([first] + further)))
    }

    private func add(_ rule: Rule) {
        state.withLock { $0.rules.append(rule) }
    }

    /// Queued answers that nobody has asked for yet; a test may want none to be left.
    public var pendingAnswers: Int { state.withLock { $0.queue.count } }

    /// Forgets requests, failures, queued and bound answers.
    public func reset() {
        state.withLock { $0 = State() }
    }

    // MARK: What was asked

    /// Every request so far, in the order of arrival.
    public var requests: [MockRequest] { state.withLock { $0.requests } }

    /// Requests for which there was no answer.
    var unexpected: [TestServerError] { state.withLock { $0.unexpected } }

    /// Answers a request; called by the client.
    public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        try Task.checkCancellation()
        let received = try await MockRequest(collecting: request, upTo: bodyLimit)
        // The usual sequences end, and throw nothing, when their task is cancelled: that was not the whole body.
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
        // Outside of the lock, since a pattern may run code of the test.
        if let index = rules.lastIndex(where: { $0.differences(from: request).isEmpty }) {
            return try await answer(request, by: rules[index], at: index)
        }
        guard let fallback else { throw refusal(of: request, rules) }
        return try await fallback(request)
    }

    private func answer(_ request: MockRequest, by rule: Rule, at index: Int) async throws -> TestServerResponse {
        let uses = state.withLock { state in
            guard state.rules.indices.contains(index) else { return 0 }
            state.rules[index].uses += 1
            return state.rules[index].uses - 1
        }
        switch rule.answer {
        case .sequence(let responses): return responses[min(uses, responses.count - 1)]
        case .handler(let handler):
            var request = request
            request.parameters = request.parameters(in: rule.pattern) ?? [:]
            return try await handler(request)
        }
    }

    /// The error of a request that has no answer, with what the closest one would have wanted.
    private func refusal(of request: MockRequest, _ rules: [Rule]) -> SockeyeError {
        var message = "no answer for \(request.line)"
        let closest = rules.reversed().map { ($0, $0.differences(from: request)) }.min { $0.1.count < $1.1.count }
        if let (rule, differences) = closest {
            message += "; the closest, \(rule.pattern), does not have: \(differences.joined(separator: "; "))"
        }
        let error = TestServerError(.unexpectedRequest, message)
        state.withLock { $0.unexpected.append(error) }
        return SockeyeError(error, request.identity)
    }
}

extension SockeyeError {
    /// The library's error for a request that a test did not expect. Of a kind that no policy repeats.
    init(_ error: TestServerError, _ request: RequestIdentity) {
        var fields = Fields(.invalidRequest, phase: .send, blame: .caller, message: error.message)
        fields.hasLines = true
        fields.underlying = error
        fields.request = request
        self.init(fields)
    }
}
