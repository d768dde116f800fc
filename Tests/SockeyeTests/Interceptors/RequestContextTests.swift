import HTTPTypes
import Sockeye
import SockeyeDiagnostics
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("The context of a call", .timeLimit(.minutes(1)))
struct RequestContextTests {
    private enum TenantKey: OutgoingRequest.ContextKey { typealias Value = String }
    private enum AttemptKey: OutgoingRequest.ContextKey { typealias Value = Int }

    /// Records the tenant of the request and of its call.
    private struct Noting: Interceptor {
        let stage: Call.Stage
        let notes: Recorder<String>

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            let (own, callers) = (request.options.context[TenantKey.self], call.context[TenantKey.self])
            notes.append("\(stage) \(request.url.path) \(own ?? "-") \(callers ?? "-")")
            return try await call.proceed(request)
        }
    }

    private struct NotingMonitor: EventMonitor {
        let notes: Recorder<String>

        let kinds: ClientEvent.Kinds = .callStarted

        func handle(_ event: ClientEvent) { notes.append(event.call?.context[TenantKey.self] ?? "-") }
    }

    private func transport() -> MockTransport {
        let failures = Recorder<String>()
        return MockTransport { request in
            switch request.path {
            case "/start": return .status(302, headers: [.location: "/next"])
            case "/next" where failures.values.isEmpty:
                failures.append("503")
                return .status(503)
            default: return .ok("done")
            }
        }
    }

    @Test("a context holds one value per key, and a new value replaces the old one")
    func keys() {
        var context = OutgoingRequest.Context()
        #expect(context[TenantKey.self] == nil)
        context[TenantKey.self] = "a"
        context[AttemptKey.self] = 1
        #expect(context[TenantKey.self] == "a" && context[AttemptKey.self] == 1)
        context[TenantKey.self] = nil
        #expect(context[TenantKey.self] == nil && context[AttemptKey.self] == 1)
        let options = OutgoingRequest.Options.context(TenantKey.self, "a").context(AttemptKey.self, 1)
            .context(TenantKey.self, "b")
        #expect(options.context[TenantKey.self] == "b" && options.context[AttemptKey.self] == 1)
    }

    @Test("interceptors and monitors see the same context before and after redirects and retries")
    func redirectsAndRetries() async throws {
        let (notes, heard, mock) = (Recorder<String>(), Recorder<String>(), transport())
        let client = HTTPClient(transport: mock)
            .adding(.retry(max: 1, backoff: .none))
            .adding(Noting(stage: .call, notes: notes), Noting(stage: .attempt, notes: notes))
            .monitored(by: NotingMonitor(notes: heard))
        let response = try await client.get("http://a.test/start", options: .context(TenantKey.self, "acme"))
        #expect(try await response.text() == "done")
        #expect(
            notes.values == [
                "call /start acme acme", "attempt /start acme acme", "attempt /next acme acme",
                "attempt /next acme acme",
            ])
        #expect(heard.values == ["acme"])
        _ = try await client.get("http://a.test/other").text()
        #expect(notes.values.suffix(2) == ["call /other - -", "attempt /other - -"])
        #expect(heard.values == ["acme", "-"])
    }

    @Test("an interceptor can change the context of the request for inner interceptors, but not that of the call")
    func replaced() async throws {
        struct Replacing: Interceptor {
            func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
                var request = request
                request.options.context[TenantKey.self] = "inner"
                return try await call.proceed(request)
            }
        }
        let notes = Recorder<String>()
        let client = HTTPClient(transport: MockTransport { _ in .ok() })
            .adding(Replacing(), Noting(stage: .attempt, notes: notes))
        _ = try await client.get("http://a.test/", options: .context(TenantKey.self, "outer"))
        #expect(notes.values == ["attempt / inner outer"])
    }

    @Test("a context is neither sent nor part of a description")
    func secrecy() async throws {
        let mock = transport()
        let options = OutgoingRequest.Options.context(TenantKey.self, "s3cret").limit(body: 1 << 20)
        let client = HTTPClient(transport: mock)
        _ = try await client.post("http://a.test/x", .text("content"), options: options).text()
        let request = try OutgoingRequest(url: "http://a.test/x", options: options)
        var texts = ["\(request)", "\(options)", "\(options.context)", String(reflecting: request)]
        for value in [request, options, options.context] as [Any] {
            var text = ""
            dump(value, to: &text)
            texts.append(text)
        }
        texts += mock.requests.flatMap { ["\($0.url)", "\($0.headers)", $0.text] }
        let command = try await client.curlCommand(.get, "http://a.test/", options: options, showingSecrets: true)
        texts.append(command.description)
        #expect(texts.filter { $0.contains("s3cret") }.isEmpty)
    }
}
