import Sockeye
import SockeyeTestSupport
import SockeyeTesting

/// A server that answers with the number of the connection. It answers `/held` only once the gate is open, and
/// `/large` with 4 MiB.
enum PoolServer {
    static func run(
        tls: TestTLS? = nil, _ run: (_ server: TestServer, _ gate: TestSignal) async throws -> Void
    ) async throws {
        let gate = TestSignal()
        try await withTestServer(tls: tls) { request in
            if request.path == "/held" { try await gate.wait() }
            return .ok(request.path == "/large" ? String(repeating: "x", count: 4 << 20) : "\(request.connection)")
        } run: { server in
            try await run(server, gate)
            gate.fire()
        }
    }

    static func get(_ client: HTTPClient, _ url: String) -> Task<String, any Error> {
        Task { try await client.get(url).text() }
    }
}
