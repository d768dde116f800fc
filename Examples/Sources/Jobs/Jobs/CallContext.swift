import Sockeye
import SockeyeTesting
import Synchronization

// snippet.show
enum TenantKey: OutgoingRequest.ContextKey { typealias Value = String }

struct TenantField: Interceptor {
    func intercept(_ request: OutgoingRequest, in call: Call) async throws
        -> IncomingResponse
    {
        var request = request
        request.headers["X-Tenant"] = call.context[TenantKey.self]
        return try await call.proceed(request)
    }
}

func billed(
    _ client: HTTPClient,
    charge: @escaping @Sendable (_ tenant: String, _ exchanges: Int) -> Void
) -> HTTPClient {
    client.adding(TenantField()).monitored(.callReturned) { event in
        guard case .callReturned(let end) = event,
            let tenant = end.call.context[TenantKey.self]
        else { return }
        charge(tenant, end.metrics.exchanges.count)
    }
}

func report(
    for tenant: String, from client: HTTPClient
) async throws -> String {
    try await client.get(
        "report", options: .context(TenantKey.self, tenant), as: .text)
}
// snippet.hide

extension Job {
    /// The server first answers with a redirect.
    static let callContext = Job("A value of the caller's, read by an interceptor and a monitor") {
        let charged = Mutex("")
        return try await withTestServer { request in
            guard request.path == "/report" else { return .text("report of \(request["X-Tenant"] ?? "nobody")") }
            return .redirect(to: "/reports/today")
        } run: { server in
            let api = HTTPClient().scoped(baseURL: server.url())
            let client = billed(api) { tenant, exchanges in charged.withLock { $0 += "\(tenant): \(exchanges)" } }
            let text = try await report(for: "acme", from: client)
            return "\(text), charged \(charged.withLock { $0 }) exchanges"
        }
    }
}
