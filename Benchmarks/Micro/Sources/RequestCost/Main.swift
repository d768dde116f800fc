import Sockeye
import Synchronization

/// `RequestCost URL CONNECTIONS REQUESTS [VARIANT]` sends small GETs over at most CONNECTIONS connections, for
/// Scripts/request-cost.py, which counts their instructions. The variants:
///
/// - `loop`: the tasks run on the client's own executor;
/// - `policies`: retries, a bearer token and a cookie are added to each request;
/// - `signed`: the same, and an asynchronous interceptor that adds a field;
/// - `monitored`: a monitor gets every event of every call.
@main struct Main {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let connections = Int(arguments[2]), let requests = Int(arguments[3]) else {
            fatalError("usage: RequestCost URL CONNECTIONS REQUESTS [loop|policies|signed|monitored]")
        }
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = connections
        configuration.pool.connections = connections
        let variant = arguments.dropFirst(4).first
        configuration.interceptors = try interceptors(variant, for: arguments[1])
        if variant == "monitored" { configuration.monitors = [Monitor()] }
        let client = HTTPClient(configuration: configuration)
        let load = { @Sendable in try await send(requests, to: arguments[1], over: connections, by: client) }
        if variant == "loop" {
            try await withTaskExecutorPreference(client.pool?.executor) { try await load() }
        } else {
            try await load()
        }
        await client.shutDown()
    }

    /// The policies of a client of an API; redirects are on by default.
    private static func interceptors(_ variant: String?, for url: String) throws -> [any Interceptor] {
        guard variant == "policies" || variant == "signed" else { return HTTPClient.Configuration().interceptors }
        let jar = CookiePolicy.Jar()
        try jar.set("session=4f1d8a2b6c9e", from: HTTPURL(url))
        let policies: [any Interceptor] = [
            RetryPolicy.retry(), AuthenticationPolicy.bearer("2YotnFZFEjr1zCsicMWpAA"), CookiePolicy.cookies(jar),
        ]
        return variant == "signed" ? policies + [Signer()] : policies
    }

    private static func send(_ requests: Int, to url: String, over connections: Int, by client: HTTPClient) async throws
    {
        try await withThrowingTaskGroup { group in
            for _ in 0..<connections {
                group.addTask { for _ in 0..<(requests / connections) { try await get(url, by: client) } }
            }
            try await group.waitForAll()
        }
    }

    private static func get(_ url: String, by client: HTTPClient) async throws {
        let response = try await client.get(url)
        var bytes = 0
        for try await chunk in response.body { bytes += chunk.count }
        guard response.status == .ok, bytes == 13 else { fatalError("\(response.status), \(bytes) bytes") }
    }
}

/// Adds a field to each request, as an application's signature does.
private struct Signer: Interceptor {
    func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
        var request = request
        request.headers["X-Signature"] = "3f1a9c5e"
        return try await call.proceed(request)
    }
}

/// Counts the events of all calls.
private final class Monitor: EventMonitor {
    private let count = Atomic(0)

    func handle(_ event: ClientEvent) { count.wrappingAdd(1, ordering: .relaxed) }
}
