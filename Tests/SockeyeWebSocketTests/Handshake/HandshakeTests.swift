import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import Synchronization
import Testing

@testable import SockeyeWebSocket

@Suite("The opening handshake", .timeLimit(.minutes(1)))
struct HandshakeTests {
    let client = HTTPClient()

    @Test("the handshake is a GET of version 13 with the client's fields, and its results are reported")
    func request() async throws {
        var options = WebSocketConnection.Options(subprotocols: ["chat.v2", "chat.v1"])
        options.compression = .init()
        let server = try await TestServer.start { request, responder in
            #expect(request.method == .get && request.target == "/chat?a=1")
            #expect(request["Sec-WebSocket-Version"] == "13")
            #expect(request["Sec-WebSocket-Protocol"] == "chat.v2, chat.v1")
            #expect(request["Sec-WebSocket-Extensions"] == "permessage-deflate; client_max_window_bits")
            #expect(request["Upgrade"] == "websocket" && request["Connection"]?.lowercased() == "upgrade")
            #expect(request["Origin"] == "https://example.com")
            var options = WebSocketConnection.Options(subprotocols: ["chat.v1"])
            options.compression = .init()
            options.compression?.keepsOwnContext = false
            try await responder.webSocket(options: options) { #expect($0.subprotocol == "chat.v1") }
        }
        let scoped = client.scoped(baseURL: server.url("/"))
        try await scoped.webSocket("chat?a=1", headers: ["Origin": "https://example.com"], options: .webSocket(options))
        { socket in
            #expect(socket.subprotocol == "chat.v1")
            #expect(socket.isCompressed)
            #expect(socket.agreement.compression?.server.keepsContext == false)
            #expect(socket.agreement.compression?.client.keepsContext == true)
        }
        try server.checkForFailures()
    }

    static let invalid: [(name: String, headers: Headers, accept: @Sendable (String) -> String?)] = [
        ("no accept", [:], { _ in nil }),
        ("a wrong accept", [:], { _ in OpeningHandshake.accept(for: OpeningHandshake.makeKey()) }),
        ("an unknown extension", ["Sec-WebSocket-Extensions": "x"], { OpeningHandshake.accept(for: $0) }),
        (
            "unrequested permessage-deflate", ["Sec-WebSocket-Extensions": "permessage-deflate"],
            { OpeningHandshake.accept(for: $0) }
        ),
        ("an unrequested subprotocol", ["Sec-WebSocket-Protocol": "x"], { OpeningHandshake.accept(for: $0) }),
    ]

    @Test("a response with a wrong accept value, extension or subprotocol is refused", arguments: invalid.indices)
    func invalidAnswers(index: Int) async throws {
        let answer = Self.invalid[index]
        let server = try await RawPeer.start(headers: answer.headers, accept: answer.accept) {
            // The client closes the connection.
            try await $0.discardToEnd()
        }
        let url = ExchangeTests.webSocketURL(server)
        let error = await #expect(throws: SockeyeError.self, "\(answer.name)") {
            try await client.webSocket(url) { _ in }
        }
        #expect(error?.code == .upgradeRefused && error?.response?.status == .switchingProtocols)
        await client.expectAtRest()
    }

    @Test("if OpenSSL cannot compute SHA-1, no request is sent, and the server is not blamed")
    func withoutHash() async throws {
        let mock = MockTransport()
        let handshake = HandshakeInterceptor(WebSocketConnection.Options(), accept: { _ in nil })
        let client = HTTPClient(transport: mock, interceptors: [handshake])
        let error = await #expect(throws: SockeyeError.self) { try await client.get("http://a.test/chat") }
        #expect(error?.code == .outOfResources && error?.blame == .network && error?.phase == .prepare)
        #expect(mock.requests.isEmpty)
    }

    @Test("the error for a response other than 101 contains that response", arguments: [200, 400, 404, 426, 503])
    func otherAnswers(status: Int) async throws {
        try await withTestServer { _ in
            .text("no WebSocket here", status: status)
        } run: { server in
            let error = await #expect(throws: SockeyeError.self) {
                try await client.webSocket(ExchangeTests.webSocketURL(server)) { _ in }
            }
            #expect(error?.code == .upgradeRefused && error?.response?.status.code == status)
            #expect(error?.response?.body == "no WebSocket here".bytes)
        }
    }

    @Test(
        "URLs of other schemes and with fragments are refused",
        arguments: ["ftp://h/", "wss://h/#x", "ws:", "mailto:x"])
    func urls(url: String) async throws {
        let error = await #expect(throws: SockeyeError.self) { try await client.webSocket(url) { _ in } }
        #expect(error?.code == .invalidURL)
    }

    // MARK: The client's policies

    @Test("the handshake passes interceptors, uses a new key after a redirect, and sends cookies")
    func policies() async throws {
        let keys = Mutex<[String]>([])
        let server = try await TestServer.start { request, responder in
            keys.withLock { $0.append(request["Sec-WebSocket-Key"] ?? "") }
            #expect(request["X-Mine"] == "yes")
            if request.path == "/old" {
                try await responder.send(
                    .status(307, headers: ["Location": "/new", "Set-Cookie": "id=7; Path=/"]))
                return
            }
            #expect(request["Cookie"] == "id=7")
            try await responder.webSocket(headers: ["Set-Cookie": "later=1"]) { _ in }
        }
        struct Mine: Interceptor {
            func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
                var request = request
                request.headers["X-Mine"] = "yes"
                return try await call.proceed(request)
            }
        }
        let jar = CookiePolicy.Jar()
        let client = client.adding(Mine()).adding(.cookies(jar))
        try await client.webSocket(ExchangeTests.webSocketURL(server, "/old")) { socket in
            #expect(socket.response?.history.count == 1)
        }
        #expect(Set(keys.withLock { $0 }).count == 2)
        try server.checkForFailures()
    }

    @Test(
        "the offer of subprotocols, which may hold a token, is not sent to another origin",
        arguments: [[], ["bearer.t0ken", "chat.v2"]])
    func redirectedOffer(subprotocols: [String]) async throws {
        let second = try await TestServer.start { request, responder in
            #expect(request["Sec-WebSocket-Protocol"] == nil)
            try await responder.webSocket { _ in }
        }
        let first = try await TestServer.start { _ in .redirect(to: second.url("/"), status: 307) }
        let options = OutgoingRequest.Options.webSocket(subprotocols: subprotocols)
        var error: SockeyeError?
        do {
            try await client.webSocket(ExchangeTests.webSocketURL(first), options: options) { _ in }
        } catch let failure as SockeyeError {
            error = failure
        }
        let expected: SockeyeError.Code? = subprotocols.isEmpty ? nil : .redirectRefused
        #expect(error?.code == expected)
        #expect(second.activity.requests == (subprotocols.isEmpty ? 1 : 0))
        try second.checkForFailures()
    }

    @Test("a field with subprotocols, which may hold a token, is not sent to another origin")
    func redirectedField() async throws {
        let second = try await TestServer.start { _, responder in try await responder.webSocket { _ in } }
        let first = try await TestServer.start { _ in .redirect(to: second.url("/"), status: 307) }
        let headers: Headers = ["Sec-WebSocket-Protocol": "bearer.t0ken"]
        let error = await #expect(throws: SockeyeError.self) {
            try await client.webSocket(ExchangeTests.webSocketURL(first), headers: headers) { _ in }
        }
        #expect(error?.code == .redirectRefused)
        #expect(second.activity.requests == 0)
    }

    @Test("a redirect of the handshake to a ws or wss URL is followed", arguments: [("ws", false), ("WSS", true)])
    func redirectedScheme(scheme: String, isSecure: Bool) async throws {
        let authority = try TestCertificateAuthority()
        let second = try await ExchangeTests.echo(tls: isSecure ? try TestTLS(authority) : nil)
        let url = second.url("/new", host: "localhost")
        let target = "\(scheme)\(url.dropFirst(isSecure ? 5 : 4))"
        let first = try await TestServer.start { _ in .redirect(to: target, status: 307) }
        let client = HTTPClient(configuration: .init(tls: TLSOptions(roots: authority.roots)))
        try await client.webSocket(ExchangeTests.webSocketURL(first, "/old")) { socket in
            #expect(socket.response?.history.count == 1)
            #expect((socket.response?.tls != nil) == isSecure)
        }
        try second.checkForFailures()
    }

    @Test("the handshake answers a challenge")
    func challenge() async throws {
        let server = try await TestServer.start { request, responder in
            guard request["Authorization"] == "Bearer secret" else {
                try await responder.send(.status(401, headers: ["WWW-Authenticate": "Bearer"]))
                return
            }
            try await responder.webSocket { _ in }
        }
        let tokens = Mutex(["secret", "stale"])
        let client = client.adding(.bearer { AuthenticationPolicy.Token(tokens.withLock { $0.popLast() } ?? "none") })
        try await client.webSocket(ExchangeTests.webSocketURL(server)) { _ in }
        try server.checkForFailures()
    }

    // MARK: Ways

    @Test("a WebSocket works over TLS and over a unix-domain socket")
    func ways() async throws {
        let authority = try TestCertificateAuthority()
        let secure = try await ExchangeTests.echo(tls: TestTLS(authority))
        let trusting = HTTPClient(configuration: .init(tls: TLSOptions(roots: authority.roots)))
        let url = "wss" + secure.url("/", host: "localhost").dropFirst(5)
        try await trusting.webSocket(url) { socket in
            try await socket.send("over TLS")
            var messages = socket.messages.makeAsyncIterator()
            do {
                let value = try await messages.next()
                #expect(value == .text("over TLS"))
            }
            #expect(socket.response?.tls != nil)
        }
        let address = ListenAddress.temporaryUnixSocket
        let server = try await TestServer.start(on: address) { _, responder in
            try await responder.webSocket { socket in
                for try await message in socket.messages { try await socket.send(message) }
            }
        }
        let local = client.scoped(unixSocketPath: String(server.address.description.dropFirst(5)))
        try await local.webSocket("ws://localhost/") { socket in
            try await socket.send("locally")
            var messages = socket.messages.makeAsyncIterator()
            do {
                let value = try await messages.next()
                #expect(value == .text("locally"))
            }
        }
    }

    @Test("an http proxy is asked for a tunnel, also for ws")
    func proxy() async throws {
        let proxy = try await TestServer.start { request, responder in
            #expect(request.method == .connect && request.target == "h.example:80")
            let connection = try await responder.tunnel()
            let head = try #require(try await connection.read(through: "\r\n\r\n"))
            let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
            #expect(lines.first == "GET /chat HTTP/1.1")
            let field = try #require(lines.first { $0.hasPrefix("Sec-WebSocket-Key: ") })
            let accept = try #require(OpeningHandshake.accept(for: String(field.dropFirst(19))))
            try await connection.write(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: \(accept)\r\n\r\n")
            try await connection.write(Wire.frame(1, Array("through".utf8)) + Wire.close(1000))
            do {
                let value = try await connection.closeCode()
                #expect(value == 1000)
            }
        }
        var configuration = HTTPClient.Configuration()
        configuration.proxy = .http(proxy.url("/"))
        let client = HTTPClient(configuration: configuration)
        try await client.webSocket("ws://h.example/chat") { socket in
            var messages = socket.messages.makeAsyncIterator()
            let message = try await messages.next()
            #expect(message == .text("through"))
            do {
                let value = try await messages.next()
                #expect(value == nil)
            }
        }
        try proxy.checkForFailures()
    }

    // MARK: Again

    @Test("the next connection gets the place of a lost one in the pool, even if the application keeps the lost one")
    func keptConnection() async throws {
        let count = Mutex(0)
        let server = try await TestServer.start { _, responder in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            try await responder.webSocket { _ in if isFirst { responder.close() } }
        }
        var configuration = HTTPClient.Configuration()
        configuration.pool.connectionsPerOrigin = 1
        let client = HTTPClient(configuration: configuration)
        var kept: [WebSocketConnection] = []
        try await client.webSocket(
            ExchangeTests.webSocketURL(server), reconnecting: .init(attempts: 1, backoff: .constant(.milliseconds(1)))
        ) { socket in
            kept.append(socket)
            for try await _ in socket.messages {}
        }
        #expect(kept.count == 2)
        await client.expectAtRest()
        for socket in kept { await #expect(throws: WebSocketError.self) { try await socket.send("late") } }
    }

    @Test("a lost connection is replaced, but not one that ended properly")
    func reconnects() async throws {
        let count = Mutex(0)
        let server = try await TestServer.start { _, responder in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 2 {
                try await responder.send(.status(503))
                return
            }
            try await responder.webSocket { socket in
                try await socket.send("\(number)")
                switch number {
                case 1: responder.close()
                case 3: try await socket.close(.serviceRestart)
                default: break
                }
            }
        }
        var seen: [WebSocketConnection.Message] = []
        try await client.webSocket(
            ExchangeTests.webSocketURL(server), reconnecting: .init(attempts: 3, backoff: .constant(.milliseconds(1)))
        ) { socket in
            for try await message in socket.messages { seen.append(message) }
        }
        #expect(seen == [.text("1"), .text("3"), .text("4")])
        struct Mine: Error {}
        await #expect(throws: Mine.self) {
            try await client.webSocket(ExchangeTests.webSocketURL(server), reconnecting: .init()) { _ in throw Mine() }
        }
        #expect(count.withLock { $0 } == 5)
    }
}
