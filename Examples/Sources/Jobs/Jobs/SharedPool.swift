import Sockeye
import SockeyeTesting
import SockeyeTransfers
import Synchronization

// snippet.show
struct Clients {
    let pool: ConnectionPool
    let internalAPI: HTTPClient
    let web: HTTPClient

    init(connections: Int, internalRoots: TLSOptions.Roots) {
        pool = ConnectionPool(
            configuration: PoolOptions(connections: connections))
        internalAPI = HTTPClient(
            pool: pool,
            configuration: .init(tls: TLSOptions(roots: internalRoots)))
        web = HTTPClient(pool: pool)
    }

    func watch(_ show: (PoolStatistics) -> Void) async {
        let updates = pool.statisticsUpdates(every: .milliseconds(100))
        for await statistics in updates { show(statistics) }
    }
}
// snippet.hide

extension Job {
    /// The servers answer as soon as all requests have a connection or wait for one.
    static let sharedPool = Job("One pool for two clients, and its statistics") {
        let authority = try TestCertificateAuthority()
        let allAreThere = TestSignal()
        let answer: @Sendable (TestRequest) async throws -> TestServerResponse = { _ in
            try await allAreThere.wait()
            return .status(204)
        }
        return try await withTestServer(tls: TestTLS(authority), handler: answer) { inside in
            try await withTestServer(handler: answer) { outside in
                let clients = Clients(connections: 4, internalRoots: authority.roots)
                let watching = Task {
                    await clients.watch { statistics in
                        if statistics.leased == 4, statistics.waiting == 16 { allAreThere.fire() }
                    }
                }
                defer { watching.cancel() }
                async let inner = answers(from: inside.url(), by: clients.internalAPI)
                async let outer = answers(from: outside.url(), by: clients.web)
                return "\(try await inner + outer) answers over 4 connections, for which 16 requests waited"
            }
        }
    }

    /// Sends ten requests at once and returns the number of responses.
    private static func answers(from url: String, by client: HTTPClient) async throws -> Int {
        let urls = Array(repeating: url, count: 10)
        return try await client.batch(urls, atMost: urls.count, as: .text).values().count
    }
}
