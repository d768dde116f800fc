import SockeyeNet
import SockeyeTesting
import Testing

@Suite("Test servers over TLS", .timeLimit(.minutes(1)))
struct TLSTests {
    private let authority: TestCertificateAuthority
    private let trusting: TLSOptions

    init() throws {
        authority = try TestCertificateAuthority()
        trusting = TLSOptions(roots: authority.roots)
    }

    @Test("the server serves requests and reports the results of the handshake")
    func serving() async throws {
        try await withTestServer(tls: TestTLS(authority)) { request in
            let tls = try #require(request.tls)
            return .ok("\(tls.serverName ?? "-") \(tls.applicationProtocol ?? "-") \(tls.version) \(tls.isResumed)")
        } run: { server in
            #expect(server.url() == "https://127.0.0.1:\(server.port)/")
            #expect(server.url("/x", host: "localhost") == "https://localhost:\(server.port)/x")
            let client = try await RawClient(server.address, tls: trusting)
            for _ in 0..<2 {
                #expect(try await client.get().body == "localhost http/1.1 \(TLSOptions.Version.v1_3) false")
            }
        }
    }

    @Test("the server streams a large body both ways")
    func large() async throws {
        let length = 4 << 20
        try await withTestServer(tls: TestTLS(authority)) { request in
            .stream(request.body, length: length)
        } run: { server in
            let client = try await RawClient(server.address, tls: trusting)
            try await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(length)\r\n\r\n")
            let upload = Task {
                var sent = 0
                while sent < length {
                    let piece = TestPattern.bytes(at: sent, upTo: length - sent)
                    try await client.connection.write(piece)
                    sent += piece.count
                }
            }
            _ = try await client.connection.read(through: "\r\n\r\n")
            #expect(TestPattern.matches(try await client.connection.read(exactly: length), at: 0))
            try await upload.value
        }
    }

    @Test("the server counts failed handshakes and continues to serve")
    func failedHandshake() async throws {
        try await withTestServer(tls: TestTLS(authority)) { _ in
            .ok("fine")
        } run: { server in
            await #expect(throws: TransportError.self) { try await RawClient(server.address, tls: TLSOptions()) }
            try await server.wait { $0.failedHandshakes == 1 && $0.openConnections == 0 }
            let client = try await RawClient(server.address, tls: trusting)
            #expect(try await client.get().body == "fine")
        }
    }

    @Test("the server requests client certificates and shows them to the handler")
    func clientCertificates() async throws {
        var options = TestCertificateOptions()
        options.purpose = .client
        let certificate = try authority.issue(options)
        var tls = try TestTLS(authority)
        tls.clientCertificates = .required(authority)
        try await withTestServer(tls: tls) { request in
            #expect(request.tls?.clientCertificates.first == certificate.der)
            return .ok("welcome")
        } run: { server in
            let client = try await RawClient(
                server.address, tls: TLSOptions(roots: authority.roots, identity: certificate.identity))
            #expect(try await client.get().body == "welcome")
            try await server.wait { $0.requests == 1 }
        }
    }

    @Test("a connection ends with close_notify or without it, as the script says", arguments: [true, false])
    func closeNotify(sends: Bool) async throws {
        let close: RawStep = sends ? .close : .closeWithoutNotify
        let server = try await RawServer.start(
            tls: TestTLS(authority), script: [.readRequestHead, .send("abc"), close])
        let client = try await RawClient(server.address, tls: trusting)
        try await client.send("GET / HTTP/1.1\r\n\r\n")
        if sends {
            #expect(try await client.rest() == "abc")
        } else {
            await #expect(throws: TestServerError.self) { try await client.rest() }
        }
        #expect(server.receivedText() == "GET / HTTP/1.1\r\n\r\n")
    }

    @Test("the server does not start with an invalid identity")
    func badIdentity() async throws {
        let error = await #expect(throws: TestServerError.self) {
            try await TestServer.start(
                tls: TestTLS(identity: .pem(certificateChain: .text("x"), privateKey: .text("y")))
            ) { _ in .ok() }
        }
        #expect(error?.code == .cannotStart)
    }
}
