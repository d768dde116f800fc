import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import SockeyeNet
import SockeyeTestSupport
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

/// The order and the results of the steps of a chain, with interceptors that only log.
@Suite("The chain of interceptors", .timeLimit(.minutes(1))) struct InterceptorChainTests {
    /// A policy in synchronous steps. Its steps log its name.
    private struct Steps: SynchronousInterceptor {
        let name: String
        let log: Recorder<String>
        var preparesRequests = true
        var outcomeFilter = OutcomeFilter.everything
        var preparation: @Sendable (OutgoingRequest) throws(SockeyeError) -> Preparation = { _ in .ready }
        var waiting: @Sendable (OutgoingRequest, Call) async throws(SockeyeError) -> OutgoingRequest = { request, _ in
            request
        }
        /// Revises an outcome; nil if the policy accepts every outcome.
        var revision:
            (
                @Sendable (Result<IncomingResponse, SockeyeError>, OutgoingRequest, Call)
                    async throws(SockeyeError) -> IncomingResponse
            )?

        func prepare(
            _ request: OutgoingRequest, adding fields: inout FieldLineBuffer, at time: TimeSource,
            for observer: CallObserver?
        ) throws(SockeyeError) -> Preparation {
            log.append("\(name)>")
            return try preparation(request)
        }

        func prepareWaiting(_ request: OutgoingRequest, in call: Call) async throws(SockeyeError) -> OutgoingRequest {
            log.append("\(name)…")
            return try await waiting(request, call)
        }

        func accepts(
            _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, at time: TimeSource
        ) -> Bool {
            log.append("<\(name) \((try? outcome.get().statusCode).map(String.init) ?? "error")")
            return revision == nil
        }

        func revise(
            _ outcome: Result<IncomingResponse, SockeyeError>, of request: OutgoingRequest, in call: Call
        ) async throws(SockeyeError) -> IncomingResponse {
            log.append("\(name) revises")
            guard let revision else { return try outcome.get() }
            return try await revision(outcome, request, call)
        }

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            try await interceptAlone(request, in: call)
        }
    }

    /// A policy in one asynchronous step.
    private struct Around: Interceptor {
        let name: String
        let log: Recorder<String>
        var carriesCredentials = false

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            log.append("\(name)>")
            defer { log.append("<\(name)") }
            return try await call.proceed(request)
        }
    }

    private let log = Recorder<String>()
    private let mock = MockTransport()

    private func steps(_ name: String, _ change: (inout Steps) -> Void = { _ in }) -> Steps {
        var steps = Steps(name: name, log: log)
        change(&steps)
        return steps
    }

    private func chain(_ interceptors: [any Interceptor], clock: ManualClock = ManualClock()) -> InterceptorChain {
        InterceptorChain(
            InterceptorList(interceptors), to: mock, monitors: [],
            clock: CallClock(time: clock.timeSource) {
                () throws(TransportError) in try .shared()
            }, background: BackgroundWork())
    }

    /// Sends a request through a chain. Returns the status, or the code of the error.
    private func send(
        _ interceptors: [any Interceptor], options: OutgoingRequest.Options = OutgoingRequest.Options()
    ) async throws -> String {
        let request = try OutgoingRequest(url: "https://a.test/", options: options)
        do throws(SockeyeError) {
            return String(try await chain(interceptors).send(request).statusCode)
        } catch {
            return error.code.description
        }
    }

    @Test("requests are prepared from outside to inside, and outcomes are examined from inside to outside")
    func order() async throws {
        mock.enqueue(.status(204))
        #expect(try await send([steps("a"), Around(name: "b", log: log), steps("c"), steps("d")]) == "204")
        #expect(log.values == ["a>", "b>", "c>", "d>", "<d 204", "<c 204", "<b", "<a 204"])
    }

    @Test("a policy is called before a request only if it prepares requests, and after it only if its filter matches")
    func skipping() async throws {
        mock.enqueue(.status(204))
        let status = try await send([
            steps("a") { ($0.preparesRequests, $0.outcomeFilter) = (false, .failures) },
            steps("b") { $0.outcomeFilter = .statuses([204]) }, steps("c") { $0.preparesRequests = false },
        ])
        #expect(status == "204" && log.values == ["b>", "<c 204", "<b 204"])
    }

    @Test("a policy that another interceptor calls takes only the steps that it would take in the chain")
    func nested() async throws {
        struct Nesting: Interceptor {
            let inner: Steps
            func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
                try await inner.intercept(request, in: call)
            }
        }
        mock.enqueue(.status(204))
        let silent = steps("a") { ($0.preparesRequests, $0.outcomeFilter) = (false, .failures) }
        let active = steps("b") { $0.outcomeFilter = .statuses([204]) }
        #expect(try await send([Nesting(inner: silent), Nesting(inner: active)]) == "204")
        #expect(log.values == ["b>", "<b 204"])
    }

    @Test("a policy that waits gets the request that an outer policy has replaced, and can replace it again")
    func replacing() async throws {
        mock.enqueue(.ok())
        let status = try await send([
            steps("a") {
                $0.preparation = { request in
                    var request = request
                    request.headers["X-A"] = "1"
                    return .replacing(request)
                }
            },
            steps("b") {
                $0.preparation = { _ in .waiting }
                $0.waiting = { request, _ in
                    var request = request
                    request.headers["X-B"] = request.headers["X-A"]
                    return request
                }
            },
            steps("c"),
        ])
        #expect(status == "200" && log.values.prefix(4) == ["a>", "b>", "b…", "c>"])
        #expect(mock.requests.map { $0["X-B"] } == ["1"])
    }

    @Test("an error in a policy's preparation is the outcome for outer policies, and nothing is sent")
    func failedPreparation() async throws {
        for isWaiting in [false, true] {
            let refusing = steps("b") {
                if isWaiting {
                    $0.preparation = { _ in .waiting }
                    $0.waiting = { _, _ throws(SockeyeError) in throw .failure(.invalidRequest) }
                } else {
                    $0.preparation = { _ throws(SockeyeError) in throw .failure(.invalidRequest) }
                }
            }
            #expect(try await send([steps("a"), refusing, steps("c")]) == "invalidRequest")
        }
        #expect(log.values == ["a>", "b>", "<a error", "a>", "b>", "b…", "<a error"] && mock.requests.isEmpty)
    }

    @Test("outer policies examine the revised outcome, whether response or error")
    func revising() async throws {
        mock.enqueue(.status(503), .status(503))
        let url = try HTTPURL("https://a.test/")
        let replacing = steps("b") {
            $0.revision = { _, _, _ in IncomingResponse(status: .accepted, url: url) }
        }
        #expect(try await send([steps("a"), replacing, steps("c")]) == "202")
        let failing = steps("b") {
            $0.revision = { _, _, _ throws(SockeyeError) in throw .failure(.unacceptableStatus) }
        }
        #expect(try await send([steps("a"), failing, steps("c")]) == "unacceptableStatus")
        let usual = ["a>", "b>", "c>", "<c 503", "<b 503", "b revises"]
        #expect(log.values == [usual, ["<a 202"], usual, ["<a error"]].flatMap { $0 })
    }

    @Test("a request that a policy sends again passes only through the policies inside of it")
    func repeating() async throws {
        mock.enqueue(.status(503), .status(204))
        let again = steps("b") {
            $0.outcomeFilter = .statuses([503])
            $0.revision = { outcome, request, call throws(SockeyeError) in
                call.record(request, outcome, reason: .retried)
                return try await call.proceed(request)
            }
        }
        #expect(try await send([steps("a"), again, steps("c")]) == "204")
        #expect(log.values == ["a>", "b>", "c>", "<c 503", "<b 503", "b revises", "c>", "<c 204", "<a 204"])
    }

    @Test("after a redirect to another origin, an interceptor with credentials is skipped")
    func leftOrigin() async throws {
        mock.enqueue(.ok())
        var options = OutgoingRequest.Options()
        options.leftOrigin = true
        let interceptors = [
            Around(name: "a", log: log, carriesCredentials: true), Around(name: "b", log: log),
        ]
        #expect(try await send(interceptors, options: options) == "200")
        #expect(log.values == ["b>", "<b"])
    }

    @Test("an error that is not the library's own is wrapped, with the request that it concerns")
    func wrapping() async throws {
        struct Own: Error {}
        struct Throwing: Interceptor {
            func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse { throw Own() }
        }
        let error = await #expect(throws: SockeyeError.self) {
            try await chain([Throwing()]).send(OutgoingRequest(url: "https://a.test/"))
        }
        #expect(error?.code == .interceptorFailed && error?.underlying is Own && error?.url == "https://a.test/")
    }

    @Test("the deadline of a call counts from its start, so an interceptor sees the time left after a policy's wait")
    func deadline() async throws {
        let clock = ManualClock()
        let waiting = steps("a") {
            $0.preparation = { _ in .waiting }
            $0.waiting = { request, _ in
                clock.advance(by: .seconds(4))
                return request
            }
        }
        let remaining = Recorder<Duration?>()
        struct Noting: Interceptor {
            let remaining: Recorder<Duration?>
            func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
                remaining.append(call.remaining)
                return try await call.proceed(request)
            }
        }
        mock.enqueue(.ok())
        let request = try OutgoingRequest(url: "https://a.test/", options: .timeout(total: .seconds(10)))
        _ = try await chain([waiting, Noting(remaining: remaining)], clock: clock).send(request)
        #expect(remaining.values == [.seconds(6)])
    }

    /// Sends requests with another chain, with other time limits.
    private struct Forwarding: Interceptor {
        let chain: InterceptorChain
        let total: Duration
        let clock: ManualClock

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            clock.advance(by: .seconds(4))
            var request = request
            request.options.timeouts = Timeouts(total: total)
            return try await chain.send(request)
        }
    }

    @Test(
        "a chain that gets the request of another chain's call has the earlier of the two deadlines",
        arguments: [(60, 6, 10), (2, 2, 2), (6, 6, 6)])
    func forwardedDeadline(total: Int, remaining: Int, limit: Int) async throws {
        struct Pausing: Interceptor {
            let remaining: Recorder<Duration?>
            func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
                remaining.append(call.remaining)
                try await call.sleep(for: .seconds(100))
                return try await call.proceed(request)
            }
        }
        let (clock, recorder) = (ManualClock(), Recorder<Duration?>())
        let inner = chain([Pausing(remaining: recorder)], clock: clock)
        let outer = chain([Forwarding(chain: inner, total: .seconds(total), clock: clock)], clock: clock)
        let request = try OutgoingRequest(url: "https://a.test/", options: .timeout(total: .seconds(10)))
        let error = await #expect(throws: SockeyeError.self) { try await outer.send(request) }
        #expect(recorder.values == [.seconds(remaining)])
        #expect(error?.limit?.name == "timeouts.total" && error?.limit?.configured == "\(limit).0 seconds")
    }
}
