import Foundation
import Sockeye
import SockeyeCore

/// The snippets of Policies.md that would need the hosts that they name: compiled, not run.
struct PoliciesArticle {
    struct Order: Encodable { var id: Int }
    struct Tokens { func fetch() async throws -> AuthenticationPolicy.Token { AuthenticationPolicy.Token("t") } }
    /// Stands for the type of swift-crypto.
    struct SHA256 { mutating func update(data: Data) {} }

    struct Tenant: Interceptor {
        let name: String

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            var request = request
            request.headers["X-Tenant"] = name
            return try await call.proceed(request)
        }
    }

    let client: HTTPClient
    let tokens = Tokens()

    func overview() {
        let jar = CookiePolicy.Jar()
        let client = HTTPClient()
            .adding(.retry(max: 3))
            .adding(.bearer { try await tokens.fetch() })
            .adding(.cookies(jar))
        withExtendedLifetime(client) {}
    }

    func redirects(url: String) async throws {
        let response = try await client.get(url, options: .intercepting(.redirects(.manual)))
        let strict = client.adding(
            .redirects(
                .following(atMost: 3) { redirect in
                    redirect.leavesOrigin ? .refuse : .follow(redirect.request)
                }))
        withExtendedLifetime((response, strict)) {}
    }

    func retries(order: Order, key: String) async throws {
        let breaker = RetryPolicy.CircuitBreaker.opening(after: 5, within: .seconds(10), coolDown: .seconds(30))
        let patient = client.adding(.retry(max: 3, budget: .percent(20), breaker: breaker))
        try await patient.post("orders", .json(order), headers: ["Idempotency-Key": key])
    }

    func authentication(password: String) throws {
        let a = client.adding(.basic(user: "ada", password: password, origins: ["https://api.example.com"]))
        let b = client.adding(.bearer { try await tokens.fetch() })
        let c = client.adding(.digest(user: "ada", password: password))
        let d = client.adding(try .netrc())
        let e = client.adding(
            .challengeHandler { challenge in
                challenge.previousFailures == 0 ? .useCredential(.user("ada", password: password)) : .cancel
            })
        withExtendedLifetime((a, b, c, d, e)) {}
    }

    func handling(password: String) {
        let f = client.adding(
            .challengeHandler { challenge in
                guard challenge.previousFailures == 0 else { return .cancel }
                let isOurs = challenge.origin.description == "https://login.example.com"
                return .useCredential(.user("ada", password: password), anywhere: isOurs)
            })
        withExtendedLifetime(f) {}
    }

    func scopes(key: String, other: String, token: String) async throws {
        let api = client.scoped(baseURL: "https://api.example.com/v1/", headers: ["X-API-Key": key]).adding(
            .bearer(token))
        _ = try await api.get("users")
        _ = try await api.get("//elsewhere.example/x")
        _ = try await api.get("//elsewhere.example/x", headers: ["X-API-Key": other])
        let both = api.scoped(trusting: ["https://uploads.example.com"])
        withExtendedLifetime(both) {}
    }

    func cookies() async throws {
        let jar = CookiePolicy.Jar()
        _ = try await jar.load(from: "cookies.txt")
        let session = client.adding(.cookies(jar))
        try await session.post("login", .form(["user": "ada"]))
        try await jar.save(to: "cookies.txt")
    }

    struct Box {
        func seal(_ bytes: Bytes) -> Bytes { bytes }
        func open(_ bytes: Bytes) -> Bytes { bytes }
    }

    struct Sealing: Interceptor {
        let box: Box

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            var request = request
            request.body = .bytes(box.seal(try await request.collectBody(upTo: 1 << 20)))
            let response = try await call.proceed(request)
            return response.replacingBody(box.open(try await response.bytes(upTo: 1 << 20)))
        }
    }

    struct Refusal: Error {}

    struct Allowing: HTTPTransport {
        let hosts: Set<String>
        var base = SocketTransport()
        var sockets: SocketTransport? { base }

        func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
            guard hosts.contains(request.url.host) else { throw Refusal() }
            return try await base.send(request)
        }
    }

    func fencing() {
        let fenced = HTTPClient(transport: Allowing(hosts: ["api.example.com"]))
        withExtendedLifetime(fenced) {}
    }

    func adapters(signature: @escaping @Sendable (String, SHA256) -> String) {
        let adapted =
            client
            .adding(.setting("X-Tenant", to: "a"))
            .adding(
                .signing { request, content in
                    let digest = try await content.reduce(into: SHA256()) { $0.update(data: Data($1)) }
                    request.headers["X-Signature"] = signature(request.url.path, digest)
                }
            )
            .monitored(.callReturned) { print($0) }
        withExtendedLifetime(adapted) {}
    }
}
