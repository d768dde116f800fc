import HTTPTypes
import Sockeye
import SockeyeTesting
import Testing

/// The same few requests to a dozen server programs. Each program's expectations are listed beside its start command.
@Suite("The same requests to many server programs", .serialized, .timeLimit(.minutes(2)))
struct SweepTests {
    /// A server and a client for it.
    private struct Scene {
        let server: SweptServer
        let running: RunningServer
        let client: HTTPClient
        let origin: String

        init(_ server: SweptServer) throws {
            self.server = server
            running = try RunningServer(server)
            var configuration = HTTPClient.Configuration(tls: TLSOptions(roots: RunningServer.authority.roots))
            if server.isProxy { configuration.proxy = .http("http://127.0.0.1:\(running.port)") }
            client = HTTPClient(configuration: configuration)
            let scheme = server.isSecure ? "https" : "http"
            origin = "\(scheme)://127.0.0.1:\(server.isProxy ? running.port + 1 : running.port)"
        }
    }

    @Test("each server behaves as recorded", arguments: SweptServer.installed)
    func sweep(_ server: SweptServer) async throws {
        let scene = try Scene(server)
        defer { scene.running.stop() }
        try await gets(scene)
        try await conditions(scene)
        if server.echoesBodies { try await posts(scene) }
        try await program(scene)
        let pool = scene.client.pool?.statistics
        #expect(pool?.leased == 0 && pool?.waiting == 0)
        // h2o would wait ten seconds for the end of idle connections before it ends.
        await scene.client.pool?.closeIdle()
    }

    /// A missing server is reported but is not a failure, because machines differ.
    @Test("servers that are not installed are reported")
    func missing() {
        for name in SweptServer.missing { print("the sweep went without \(name), which is not installed") }
    }

    private func gets(_ scene: Scene) async throws {
        let url = scene.origin + "/small.txt"
        for _ in 0..<5 { #expect(try await scene.client.get(url).text() == "small\n") }
        let created = scene.client.pool?.statistics.created
        #expect(scene.server.keepsAlive ? created == 1 : (created ?? 0) > 1, "connections: \(created ?? 0)")
        let head = try await scene.client.head(url)
        #expect(head.status == .ok)
        #expect(try await head.bytes().isEmpty)
        #expect(try await scene.client.get(scene.origin + "/big.bin").bytes() == RunningServer.big)
    }

    private func conditions(_ scene: Scene) async throws {
        let url = scene.origin + "/small.txt"
        if let status = scene.server.range {
            let response = try await scene.client.get(url, headers: [.range: "bytes=1-2"])
            #expect(response.status.code == status)
            #expect(try await response.text() == (status == 206 ? "ma" : "small\n"))
        }
        if let status = scene.server.unmodifiedStatus {
            let modified = try #require(try await scene.client.head(url).headers[.lastModified])
            let response = try await scene.client.get(url, headers: [.ifModifiedSince: modified])
            #expect(response.status.code == status)
            #expect(try await response.text() == (status == 304 ? "" : "small\n"))
        }
    }

    /// GETs between the POSTs, so that there are idle connections on which a POST could be lost.
    private func posts(_ scene: Scene) async throws {
        let client = scene.client
        for number in 0..<20 {
            #expect(
                try await client.post(scene.origin + "/", .body(.string("\(number)"))).text() == "\(number)")
            #expect(try await client.get(scene.origin + "/small.txt").text() == "small\n")
        }
        let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self)
        for piece in ["one, ", "two, ", "three"] { continuation.yield(Array(piece.utf8)) }
        continuation.finish()
        #expect(try await client.post(scene.origin + "/", .stream(stream)).text() == "one, two, three")
    }

    private func program(_ scene: Scene) async throws {
        let (client, url) = (scene.client, scene.origin + "/cgi-bin/hello")
        switch scene.server.program {
        case .none: break
        case .rewritten: #expect(try await client.get(url).text() == "hello\n")
        case .passedThrough:
            let error = await #expect(throws: SockeyeError.self) { try await client.get(url).text() }
            #expect(error?.code == .malformedResponse)
            #expect(error?.message.contains("ResponseTolerances.bareLineFeeds") == true)
            #expect(try await client.scoped(tolerances: .bareLineFeeds).get(url).text() == "hello\n")
        }
    }
}
