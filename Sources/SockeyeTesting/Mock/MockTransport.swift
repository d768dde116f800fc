public import Sockeye
public import SockeyeEngine
import Synchronization

/// Answers a client's requests in memory: no socket, no server, no thread.
///
/// ```swift
/// let client = HTTPClient(transport: MockTransport { request in
///     request.path == "/users/1" ? .json(["name": "Ada"]) : .status(404)
/// })
/// ```
///
/// For tests that state what they expect, answers can be queued or bound to a method and a path, and every request is
/// kept for looking at:
///
/// ```swift
/// let mock = MockTransport()
/// mock.answer(.get, "/users/*") { request in .json(["path": request.path]) }
/// mock.enqueue(.status(503), .ok("second try"))
/// …
/// #expect(mock.requests.map(\.path) == ["/users/1", "/users/1"])
/// ```
///
/// An answer is looked for in the queue, then among the bound answers (the latest first), then in the closure. Without
/// one the request fails with ``TestServerError`` (`unexpectedRequest`) as the cause. What a closure throws reaches the
/// caller: a `SockeyeError` as it is, anything else as the cause of one.
///
/// The client's policies work as over sockets. What belongs to connections does not exist here: time-outs, limits,
/// content codings, connection reuse. Test those against a ``TestServer`` or a ``RawServer``.
public final class MockTransport: HTTPTransport {
    /// Answers a request.
    public typealias Handler = @Sendable (MockRequest) async throws -> TestServerResponse

    private struct Rule {
        let method: HTTPRequest.Method?
        let pattern: String
        let handler: Handler

        func matches(_ request: MockRequest) -> Bool {
            guard method == nil || method == request.method else { return false }
            guard pattern.hasSuffix("*") else { return request.path == pattern }
            return request.path.hasPrefix(pattern.dropLast())
        }
    }

    private struct State {
        var queue: [TestServerResponse] = []
        var rules: [Rule] = []
        var requests: [MockRequest] = []
    }

    private let state = Mutex(State())
    private let fallback: Handler?
    private let bodyLimit: Int

    /// Makes a transport that answers what it is told with ``enqueue(_:)`` and ``answer(_:_:with:)``.
    ///
    /// - Parameter bodyLimit: The most bytes of a request body to collect. Default 16 MiB.
    public init(bodyLimit: Int = 16 << 20) {
        fallback = nil
        self.bodyLimit = bodyLimit
    }

    /// Makes a transport that answers with a closure.
    ///
    /// - Parameters:
    ///   - bodyLimit: The most bytes of a request body to collect. Default 16 MiB.
    ///   - handler: Called for each request that no queued or bound answer takes.
    public init(bodyLimit: Int = 16 << 20, handler: @escaping Handler) {
        fallback = handler
        self.bodyLimit = bodyLimit
    }

    /// Queues answers; each is given once, in order, to whatever is requested next.
    public func enqueue(_ responses: TestServerResponse...) {
        state.withLock { $0.queue += responses }
    }

    /// Binds an answer to a method and a path; it is given any number of times.
    ///
    /// - Parameters:
    ///   - method: The method; nil for any.
    ///   - path: The whole path, percent-encoded and without query; with a `*` at its end all paths that begin so.
    ///   - handler: Makes the response.
    public func answer(_ method: HTTPRequest.Method?, _ path: String, with handler: @escaping Handler) {
        state.withLock { $0.rules.append(Rule(method: method, pattern: path, handler: handler)) }
    }

    /// Every request so far, in the order of arrival.
    public var requests: [MockRequest] { state.withLock { $0.requests } }

    /// Queued answers that nobody has asked for yet; a test may want none to be left.
    public var pendingAnswers: Int { state.withLock { $0.queue.count } }

    /// Forgets requests, queued and bound answers.
    public func reset() {
        state.withLock { $0 = State() }
    }

    /// Answers a request; called by the client.
    public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        try Task.checkCancellation()
        let received = try await MockRequest(collecting: request, upTo: bodyLimit)
        // The usual sequences end, and throw nothing, when their task is cancelled: that was not the whole body.
        try Task.checkCancellation()
        let response = try await answer(received)
        return try await MockExchange.response(response, to: received)
    }

    private func answer(_ request: MockRequest) async throws -> TestServerResponse {
        let (queued, rule): (TestServerResponse?, Rule?) = state.withLock { state in
            state.requests.append(request)
            if !state.queue.isEmpty { return (state.queue.removeFirst(), nil) }
            return (nil, state.rules.last { $0.matches(request) })
        }
        if let queued { return queued }
        guard let handler = rule?.handler ?? fallback else {
            throw TestServerError(.unexpectedRequest, "no answer for \(request.method) \(request.url)")
        }
        return try await handler(request)
    }
}
