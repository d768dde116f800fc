import Sockeye
import SockeyeTesting

/// The server that nginx passes `/upstream/` on to: what no file can do.
enum Upstream {
    /// Runs a test with the upstream of one nginx answering.
    static func serving<Result>(
        _ nginx: NginxServer, handler: @escaping @Sendable (TestRequest) async throws -> TestResponse,
        run body: (NginxServer) async throws -> Result
    ) async throws -> Result {
        let server = try await TestServer.start(on: .unix(nginx.folder + "/upstream.sock"), handler: handler)
        do {
            let result = try await body(nginx)
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }
}
