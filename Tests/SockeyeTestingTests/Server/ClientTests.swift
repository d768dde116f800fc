import SockeyeTesting
import Testing

/// Calls of a client to the servers of the test kit, as users combine them.
@Suite("Client and test server", .timeLimit(.minutes(1)))
struct ClientTests {
    @Test("a client talks to the server, plain and over TLS", arguments: [false, true])
    func exchange(tls: Bool) async throws {
        let authority = try TestCertificateAuthority()
        try await withTestServer(tls: tls ? TestTLS(authority) : nil) { request in
            .json([request.path, try await request.text(), "\(request.connection)"])
        } run: { server in
            let client = HTTPClient(configuration: .init(tls: .init(roots: authority.roots)))
            for _ in 0..<3 {
                let reply = try await client.post(server.url("/echo"), .body("hello")).json([String].self)
                #expect(reply == ["/echo", "hello", "0"])
            }
            #expect(server.activity.connections == 1)
        }
    }

    @Test("a client reports a response that a raw script cuts off")
    func raw() async throws {
        let server = try await RawServer.start(script: [
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhal"), .close,
        ])
        let response = try await HTTPClient().get(server.url())
        let error = await #expect(throws: SockeyeError.self) { try await response.text() }
        #expect(error?.code == .connectionClosed)
    }
}
