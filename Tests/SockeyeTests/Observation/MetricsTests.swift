import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Metrics", .timeLimit(.minutes(1))) struct MetricsTests {
    private var measured: OutgoingRequest.Options {
        var options = OutgoingRequest.Options()
        options.collectsMetrics = true
        return options
    }

    @Test("metrics are collected only if requested")
    func absence() async throws {
        try await withTestServer { _ in
            .ok()
        } run: { server in
            let client = HTTPClient()
            let plain = try await client.get(server.url())
            #expect(plain.metrics == nil)
            let special = try await client.get(server.url(), options: measured)
            #expect(special.metrics != nil)
        }
    }

    @Test("metrics tell a new connection from a reused one")
    func connections() async throws {
        try await withTestServer { _ in
            .ok("content")
        } run: { server in
            let client = HTTPClient()
            let first = try await client.post(server.url(), .body("1234"), options: measured)
            let second = try await client.get(server.url(), options: measured)
            let opened = try #require(first.metrics?.exchanges.first)
            #expect(opened.connection?.isReused == false)
            #expect(opened.connection?.remoteAddress == "127.0.0.1:\(server.port)")
            #expect(opened.connection?.tlsVersion == nil)
            #expect(opened.status == .ok && opened.bodyBytesSent == 4 && opened.error == nil)
            #expect(opened.bytesReceived > 7)
            #expect(second.metrics?.exchanges.first?.connection?.isReused == true)
            #expect(second.metrics?.bodyBytesSent == 0)
        }
    }

    @Test("the times of an exchange are in order")
    func order() async throws {
        try await withTestServer { request in
            _ = try await request.body.collect()
            return .ok("content")
        } run: { server in
            let chunks = AsyncStream<[UInt8]> { continuation in
                for _ in 0..<3 { continuation.yield([UInt8](repeating: 1, count: 100_000)) }
                continuation.finish()
            }
            let response = try await HTTPClient().put(server.url(), .stream(chunks), options: measured)
            _ = try await response.bytes()
            let exchange = try #require(response.metrics?.exchanges.first)
            let points = [
                exchange.start, try #require(exchange.connected), try #require(exchange.sent),
                try #require(exchange.headReceived), try #require(exchange.end),
            ]
            #expect(points == points.sorted())
            #expect(exchange.bodyBytesSent == 300_000)
            #expect(response.metrics?.duration == exchange.end)
            #expect("\(exchange)".hasPrefix("PUT \(server.url()): 200, connected "))
        }
    }

    @Test("metrics have the TLS version, the cipher suite and the time of the handshake")
    func tls() async throws {
        let authority = try TestCertificateAuthority()
        let server = try await TestServer.start(tls: try TestTLS(authority)) { _ in .ok() }
        let client = HTTPClient(configuration: .init(tls: TLSOptions(roots: authority.roots)))
        let facts = try await client.get(server.url(), options: measured).metrics?.exchanges.first?.connection
        #expect(facts?.tlsVersion == "TLSv1.3" || facts?.tlsVersion == "TLS 1.3", "\(facts?.tlsVersion ?? "-")")
        #expect(facts?.cipherSuite?.isEmpty == false)
        #expect(facts?.handshaking != nil)
        await server.stop()
    }

    @Test("metrics have every exchange of a redirected call")
    func redirects() async throws {
        try await withTestServer { request in
            request.path == "/" ? .redirect(to: "/next") : .ok()
        } run: { server in
            let metrics = try await HTTPClient().get(server.url(), options: measured).metrics
            #expect(metrics?.exchanges.map(\.status?.code) == [302, 200])
            #expect(metrics?.exchanges.map(\.url.path) == ["/", "/next"])
            #expect(metrics?.exchanges.allSatisfy { $0.end != nil } == true)
        }
    }

    @Test("metrics end when the content has been read or dropped")
    func ends() async throws {
        try await withTestServer { _ in
            .bytes(Bytes([UInt8](repeating: 7, count: 1 << 20)))
        } run: { server in
            let client = HTTPClient()
            let read = try await client.get(server.url(), options: measured)
            #expect(read.metrics?.exchanges.first?.end == nil)
            let count = try await read.bytes().count
            #expect(count == 1 << 20)
            #expect((read.metrics?.bytesReceived ?? 0) > 1 << 20)
            let monitor = RecordingMonitor()
            // The response is dropped unread.
            _ = try await client.monitored(by: monitor).get(server.url()).status
            #expect(monitor.events.values.last?.hasPrefix("end 200") == true, "\(monitor.events.values)")
        }
    }
}
