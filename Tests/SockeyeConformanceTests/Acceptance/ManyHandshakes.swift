import Sockeye
import SockeyeNet
import SockeyeTesting

/// A thousand concurrent requests to an untrusted server, in a process of their own.
enum ManyHandshakes {
    struct Failure: Error {
        let what: String
    }

    static func run() async throws {
        let server = try await TestServer.start(tls: TestTLS(try TestCertificateAuthority.selfSigned())) { _ in .ok() }
        let tls = TLSOptions(roots: try TestCertificateAuthority().roots)
        let client = HTTPClient(configuration: .init(tls: tls))
        _ = await codes(10, server, client)
        let descriptors = DescriptorCount.current()
        let codes = await codes(1000, server, client)
        guard Set(codes) == [.tlsFailed] else { throw Failure(what: "\(Set(codes))") }
        try await server.wait { $0.openConnections == 0 }
        guard try await DescriptorCount.settle(atMost: descriptors) <= descriptors else { throw Failure(what: "leak") }
        let pool = client.pool?.statistics
        guard pool?.leased == 0, pool?.dialling == 0, pool?.waiting == 0 else { throw Failure(what: "\(pool as Any)") }
        guard server.activity.requests == 0 else { throw Failure(what: "a request was sent") }
    }

    private static func codes(_ count: Int, _ server: TestServer, _ client: HTTPClient) async -> [SockeyeError.Code?] {
        await withTaskGroup(of: SockeyeError.Code?.self) { group in
            for _ in 0..<count {
                group.addTask { await (failure { try await client.get(server.url()) } as? SockeyeError)?.code }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}
