import Sockeye
import SockeyeNet
import SockeyePlatform
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

/// The memory of idle connections. The client runs in its own process, so that nothing else is counted.
@Suite("Memory of idle connections", .serialized, .needs(.allocatedBytes), .timeLimit(.minutes(2)))
struct IdleMemoryTests {
    /// Answers when `count` requests have arrived, each on its own connection.
    private func server(_ count: Int, tls: TestTLS? = nil) async throws -> TestServer {
        let arrived = Shared(0)
        let complete = TestSignal()
        return try await TestServer.start(tls: tls) { request in
            if request.path == "/first" { return .ok("ok") }
            let number = arrived.value.withLock { value in
                value += 1
                return value
            }
            if number == count { complete.fire() }
            try await complete.wait(timeout: .seconds(60))
            return .ok("ok")
        }
    }

    #if compiler(>=6.3)  // Exit tests accept values since this version (ST-0012).
    @Test("an idle connection holds less than 1.5 KiB of heap")
    func plain() async throws {
        let server = try await server(500)
        let url = server.url()
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") {
            [child = child as ChildProcess, url = url as String] in
            await child.run { try await IdleMemory.measure(url, connections: 500, roots: nil, limit: 1536) }
        }
    }

    /// Nearly all of it belongs to OpenSSL: an SSL object, a session with the server's certificate, and the state of
    /// two ciphers. If OpenSSL did not release its buffers, the figure would be 38 KiB.
    @Test("an idle connection over TLS holds less than 26 KiB of heap")
    func tls() async throws {
        let authority = try Credentials.authority.get()
        let server = try await server(100, tls: TestTLS(authority))
        let (url, roots) = (server.url(), authority.pem)
        let child = ChildProcess()
        await #expect(processExitsWith: .success, "\(child.report)") {
            [child = child as ChildProcess, url = url as String, roots = roots as String] in
            await child.run { try await IdleMemory.measure(url, connections: 100, roots: roots, limit: 26 << 10) }
        }
    }
    #endif
}
