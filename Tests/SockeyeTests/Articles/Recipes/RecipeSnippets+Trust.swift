import Sockeye

#if Observability || Service
import CoreMetrics
import SockeyeObservability
#endif

/// The snippets of the recipes about trust, proxies, transports and systems.
extension RecipeSnippets {
    func selfSigned() {
        let roots = TLSOptions.Roots.systemAnd(.file("/etc/company/ca.pem"))
        let client = HTTPClient(configuration: .init(tls: TLSOptions(roots: roots)))
        var configuration = HTTPClient.Configuration()
        configuration.tlsOverrides["build.internal.example"] = TLSOptions(
            roots: .file("/etc/company/build.pem"))
        let mixed = HTTPClient(configuration: configuration)
        withExtendedLifetime((client, mixed)) {}
    }

    func rotation() async {
        var tls = TLSOptions(roots: .file("/etc/tls/ca.pem"))
        tls.identity = .pem("/etc/tls/client.pem", "/etc/tls/client.key")
        let client = HTTPClient(configuration: .init(tls: tls))
        await client.pool?.reset(only: client)
    }

    func scratch() {
        let roots = TLSOptions.Roots.file("/etc/ssl/certs/ca-certificates.crt")
        let client = HTTPClient(configuration: .init(tls: TLSOptions(roots: roots)))
        withExtendedLifetime(client) {}
    }

    func corporateProxy(password: String) throws {
        var configuration = HTTPClient.Configuration()
        configuration.proxy = .environment
        configuration.tls.roots = .systemAnd(.file("/etc/company/ca.pem"))
        let client = HTTPClient(configuration: configuration)
        let office = try Proxy(
            "http://proxy.company.example:3128",
            authentication: .credential(.user("ada", password: password)))
        configuration.proxy = .choosing { url in
            url.host.hasSuffix(".company.example") ? nil : office
        }
        withExtendedLifetime((client, configuration)) {}
    }

    struct Standby: HTTPTransport {
        let standby: String
        var base = SocketTransport()
        var sockets: SocketTransport? { base }

        func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
            do {
                return try await base.send(request)
            } catch {
                guard error.code == .connectFailed else { throw error }
                let query = request.url.query.map { "?\($0)" } ?? ""
                var request = request
                request.url = try HTTPURL(standby).resolving(
                    request.url.path + query)
                return try await base.send(request)
            }
        }
    }

    func transport() {
        let client = HTTPClient(
            transport: Standby(standby: "https://eu.api.example.com"))
        withExtendedLifetime(client) {}
    }
}

#if Observability || Service
extension RecipeSnippets {
    func measured(_ factory: any MetricsFactory) -> HTTPClient {
        HTTPClient().adding(.metrics(to: factory))
    }

    func sampled(_ client: HTTPClient) async throws {
        try await ConnectionGauges(of: client.pool).run()
    }
}
#endif

protocol Forecasts: Sendable {
    func celsius(in city: String) async throws -> Int
}

#if os(Linux)
struct SockeyeForecasts: Forecasts {
    let client: HTTPClient

    func celsius(in city: String) async throws -> Int {
        try await client.get("forecast/\(city)", as: Int.self)
    }
}
#endif
