import Foundation
import SockeyeArchiving
import SockeyeCore
import SockeyePropertyLists
import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

/// The key of a value that a scope has for all its calls.
private enum TemplateKey: OutgoingRequest.ContextKey { typealias Value = String }

@Suite("Archives of scopes and policies")
struct ScopeArchivingTests {
    private var retry: RetryPolicy {
        var policy = RetryPolicy.retry(
            max: 7, backoff: .exponential(base: .seconds(2), factor: 3, cap: .seconds(60), jitter: .equal),
            budget: .percent(5, minimumPerSecond: 2),
            breaker: .opening(after: 3, within: .seconds(4), coolDown: .seconds(5)))
        policy.methods = [.get, .post]
        policy.statuses = [503]
        policy.attemptTimeout = .seconds(9)
        policy.respectsRetryAfter = false
        policy.maximumRetryAfter = .seconds(11)
        return policy
    }

    @Test("an invalid name of a method is an error with the path of its key")
    func unknownMethod() throws {
        let text = "{\"methods\": [\"GET\", \"no method\"]}"
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(RetryPolicy.self, from: Data(text.utf8))
        }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["methods"])
    }

    @Test("a retry policy is read back, with budget and breaker of the same settings")
    func retryPolicy() throws {
        let read = try roundTripped(retry)
        #expect(try text(read) == text(retry))
        #expect(read.maximumCount == 7 && read.backoff == retry.backoff && read.methods == [.get, .post])
        #expect(read.statuses == [503] && read.attemptTimeout == .seconds(9) && !read.respectsRetryAfter)
        #expect(read.budget?.percent == 5 && read.budget?.minimumPerSecond == 2)
        #expect(read.breaker?.rules.threshold == 3 && read.breaker?.rules.coolDown == .seconds(5))
        var unbounded = RetryPolicy()
        unbounded.budget = nil
        #expect(try roundTripped(unbounded).budget == nil)
        let partial = try JSONDecoder().decode(RetryPolicy.self, from: Data("{\"maximumCount\": 1}".utf8))
        #expect(partial.maximumCount == 1 && partial.backoff == .exponential() && partial.budget?.percent == 20)
    }

    @Test("a redirect policy is read back", arguments: [RedirectPolicy.manual, .following(atMost: 3)])
    func redirectPolicy(policy: RedirectPolicy) throws {
        var policy = policy
        policy.allowsDowngrade = true
        policy.strippedFields = ["X-Mine"]
        let read = try roundTripped(policy)
        #expect(try text(read) == text(policy))
        #expect(read.isManual == policy.isManual && read.maximumCount == policy.maximumCount)
        #expect(read.allowsDowngrade && read.strippedFields == ["X-Mine"])
    }

    @Test("the error for a policy with a closure names the closure")
    func closures() {
        var transient = RetryPolicy()
        transient.isTransient = { _ in true }
        var decided = RetryPolicy()
        decided.decide = { $0.usual }
        var notified = RetryPolicy()
        notified.onRetry = { _ in }
        let redirects = RedirectPolicy.following { .follow($0.request) }
        for (policy, name): (any Encodable, String) in [
            (transient, "RetryPolicy.isTransient"), (decided, "RetryPolicy.decide"), (notified, "RetryPolicy.onRetry"),
            (redirects, "RedirectPolicy.decide"),
        ] {
            let error = #expect(throws: EncodingError.self) { try text(policy) }
            #expect("\(error, default: "")".contains(name))
        }
    }

    @Test("a scope is read back: base, origins, fields, deadlines, serializers and policies")
    func scope() async throws {
        let received = TestSignal()
        try await withTestServer { request in
            received.fire()
            let type = request["Content-Type"] ?? "-"
            return .ok("\(request.path) \(request["X-A"] ?? "-") \(request["X-B"] ?? "-") \(type)")
        } run: { server in
            let client = HTTPClient().scoped(
                baseURL: server.url("/v1"), trusting: ["https://up.test"], headers: ["X-A": "1"],
                timeouts: Timeouts(total: .seconds(20), connect: .unlimited), tolerances: [.bareLineFeeds],
                requestSerializer: .json, decoder: .propertyList
            )
            .adding(retry).adding(RedirectPolicy.manual).adding(.setting("X-B", to: "2"))
            let archive = try client.archivedScope()
            let read = HTTPClient().scoped(by: try roundTripped(archive))
            #expect(try text(read.archivedScope()) == text(archive))
            let text = try await read.post("x", .parameters(["a": 1])).text()
            #expect(text == "/v1/x 1 2 application/json")
            let settings = read.scope.settings
            #expect(settings.timeouts == Timeouts(total: .seconds(20), connect: .unlimited))
            #expect(settings.tolerances == [.bareLineFeeds])
            #expect(settings.origins?.map(\.description).last == "https://up.test")
            #expect(settings.serialization?.decoder is PropertyListResponseDecoder)
            #expect(
                (settings.interceptors.ordered.first { $0.stage == .redirects } as? RedirectPolicy)?.isManual == true)
        }
    }

    @Test("a scope that moved to another origin still sends no secrets after it is read back")
    func moved() async throws {
        let settings = ParameterSerializer.Options(headers: ["X-API-Key": "secret", "X-A": "1"])
        let serializer = ParameterSerializer.json(options: settings)
        let moved = HTTPClient().scoped(baseURL: "https://a.test/", requestSerializer: serializer)
            .scoped(baseURL: "https://b.test/")
        let archive = try roundTripped(moved.archivedScope(includingSecrets: true))
        let transport = MockTransport { request in
            .ok("\(request.headers["X-API-Key"] ?? "-") \(request.headers["X-A"] ?? "-")")
        }
        let read = HTTPClient(transport: transport).scoped(by: archive)
        #expect(read.scope.settings.isOutsideScope)
        #expect(try await read.post("x", .parameters(["a": 1])).text() == "- 1")
        #expect(try text(read.archivedScope(includingSecrets: true)) == text(archive))
    }

    @Test("a confined scope is still confined after it is read back")
    func confined() async throws {
        let archive = try roundTripped(
            HTTPClient().scoped(baseURL: "https://a.test/v1/", isConfined: true).archivedScope())
        let transport = MockTransport { _ in .ok() }
        let read = HTTPClient(transport: transport).scoped(by: archive)
        let error = await #expect(throws: SockeyeError.self) { try await read.get("../admin") }
        #expect(error?.code == .invalidURL && transport.requests.isEmpty)
        #expect(try await read.get("x").statusCode == 200)
        #expect(try text(read.archivedScope()) == text(archive))
    }

    @Test("every property of a scope is archived, is refused, or belongs to the client that applies the archive")
    func properties() {
        let found = Mirror(reflecting: HTTPClient().scope.settings).children.compactMap(\.label)
        let archived: Set = [
            "baseURL", "origins", "isOutsideScope", "isConfined", "headers", "unixSocketPath", "timeouts", "tolerances",
            "serialization", "interceptors",
        ]
        // `context` has values of any type: a scope with values is refused, and an applied archive has none.
        let refused: Set = ["context"]
        let ofClient: Set = ["transport", "monitors", "runningTasks", "objects", "clock", "lifetime", "background"]
        #expect(Set(found) == archived.union(refused).union(ofClient))
    }

    @Test("an empty archive gives a scope without settings, which follows redirects")
    func empty() throws {
        let archive = try JSONDecoder().decode(ScopeArchive.self, from: Data("{}".utf8))
        let old = HTTPClient().scoped(baseURL: "http://old.test/", headers: ["X": "1"])
            .context(TemplateKey.self, "/users/{id}")
        let settings = old.scoped(by: archive).scope.settings
        #expect(settings.headers.isEmpty && settings.baseURL == nil && settings.origins == nil)
        #expect(settings.context.isEmpty)
        #expect(settings.interceptors.ordered.map(\.stage) == [.redirects])
    }

    @Test("archiving a scope with a secret is an error that does not show it, unless includingSecrets is true")
    func secrets() throws {
        let serializing = ParameterSerializer.Options(headers: ["X-A": "1", "Authorization": "Bearer s3cret"])
        var redirects = RedirectPolicy()
        redirects.strippedFields = ["X-Tenant"]
        let scopes = [
            HTTPClient().adding(.redirects(redirects)).scoped(headers: ["X-Tenant": "s3cret"]),
            HTTPClient().adding(.redirects(redirects)).adding(.setting("X-Tenant", to: "s3cret")),
            HTTPClient().scoped(headers: ["Authorization": "s3cret"]),
            HTTPClient().scoped(headers: ["X-API-Key": "s3cret"]),
            HTTPClient().adding(.setting("X-Auth-Token", to: "s3cret")),
            HTTPClient().scoped(baseURL: "https://ada:s3cret@h.test/v1"),
            HTTPClient().scoped(requestSerializer: .json(options: serializing)),
        ]
        for scope in scopes {
            let error = #expect(throws: EncodingError.self) { try scope.archivedScope() }
            #expect(!"\(error, default: "")".contains("s3cret"))
            let archive = try scope.archivedScope(includingSecrets: true)
            #expect(try text(archive).contains("s3cret"))
            #expect(
                try text(HTTPClient().scoped(by: roundTripped(archive)).archivedScope(includingSecrets: true))
                    == text(archive)
            )
        }
    }

    @Test("the error for a scope that cannot be archived names the policy or property that prevents it")
    func unarchivable() {
        struct Own: Interceptor {
            func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
                try await call.proceed(request)
            }
        }
        struct Monitor: EventMonitor { func handle(_ event: ClientEvent) {} }
        struct Decoder: ResponseDecoder {
            var accept: String? { nil }
            var handling: BodyHandling { BodyHandling() }
            func decode<Value: Decodable>(_ type: Value.Type, from body: Bytes) throws -> Value {
                throw CancellationError()
            }
        }
        let withClosure = JSONDecoder()
        withClosure.dateDecodingStrategy = .custom { _ in Date() }
        let client = HTTPClient()
        for (scope, name) in [
            (client.adding(.cookies()), "CookiePolicy"), (client.adding(.bearer("s3cret")), "AuthenticationPolicy"),
            (client.adding(Own()), "Own"), (client.monitored(by: Monitor()), "monitors"),
            (client.scoped(decoder: Decoder()), "Decoder"),
            (client.scoped(requestSerializer: .form(.custom { _ in "s3cret" })), "closure"),
            (client.scoped(decoder: .json(withClosure)), "dates"),
            (client.context(TemplateKey.self, "s3cret"), "context"),
            (client.adding(.redirects(.following { .follow($0.request) })), "decide"),
        ] {
            let error = #expect(throws: EncodingError.self) { try scope.archivedScope() }
            #expect("\(error, default: "")".contains(name), "\(name)")
            #expect(!"\(error, default: "")".contains("s3cret"))
        }
    }

    @Test("several local addresses, an interface and the address order are read back")
    func sockets() throws {
        var configuration = ClientConfiguration()
        configuration.socket.localAddresses = ["192.0.2.1", "2001:db8::1"].compactMap {
            EndpointAddress(literal: $0, port: 0)
        }
        configuration.socket.interface = "eth1"
        configuration.addressOrder = .shuffled
        let read = try roundTripped(configuration)
        #expect(read.socket == configuration.socket && read.socket.localAddresses.count == 2)
        #expect(read.addressOrder == .shuffled)
    }
}
