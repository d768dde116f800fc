import Sockeye
import SockeyeCore
import SockeyeTestSupport
import SockeyeTesting
import SockeyeWebSocket
import Testing

@Suite("A WebSocket with an honest peer", .timeLimit(.minutes(1)))
struct ExchangeTests {
    typealias Options = WebSocketConnection.Options
    let client = HTTPClient()

    /// Starts a server that echoes messages.
    static func echo(
        tls: TestTLS? = nil, options: Options = Options()
    ) async throws -> TestServer {
        try await TestServer.start(tls: tls) { _, responder in
            try await responder.webSocket(options: options) { socket in
                for try await message in socket.messages { try await socket.send(message) }
            }
        }
    }

    static let compressed: Options = {
        var options = Options(compression: .init())
        options.compression?.minimumSize = 0
        return options
    }()

    static func webSocketURL(_ server: TestServer, _ path: String = "/chat") -> String {
        "ws" + server.url(path).dropFirst(4)
    }

    @Test("the client sends messages and gets them back", arguments: [false, true])
    func echo(isCompressed: Bool) async throws {
        let options = isCompressed ? Self.compressed : Options()
        let server = try await Self.echo(options: options)
        try await client.webSocket(Self.webSocketURL(server), options: .webSocket(options)) { socket in
            #expect(socket.isCompressed == isCompressed)
            #expect(socket.response?.status == .switchingProtocols)
            var messages = socket.messages.makeAsyncIterator()
            for count in [0, 1, 125, 126, 65_535, 65_536, 1 << 20] {
                let text = String(repeating: "ä1", count: count / 3) + String(repeating: "x", count: count % 3)
                try await socket.send(text)
                let back = try await messages.next()
                #expect(back == .text(text))
                let bytes = Bytes(repeating: Array(0..<251), count: count)
                async let sent: Void = socket.send(bytes)
                let again = try await messages.next()
                try await sent
                #expect(again == .binary(bytes))
            }
        }
        try server.checkForFailures()
        await client.expectAtRest()
        try await server.wait { $0.openConnections == 0 }
    }

    @Test("any compression level is accepted, and clamped to the levels of zlib", arguments: [Int.min, 0, 10, Int.max])
    func extremeLevel(level: Int) async throws {
        var options = Self.compressed
        options.compression?.level = level
        let server = try await Self.echo(options: options)
        let text = String(repeating: "ä1", count: 1000)
        try await client.webSocket(Self.webSocketURL(server), options: .webSocket(options)) { socket in
            #expect(socket.isCompressed)
            try await socket.send(text)
            let back = try await socket.receive()?.bytes()
            #expect(back == Bytes(text))
        }
        try server.checkForFailures()
    }

    @Test("the socket is closed with 1000 when the closure returns, and its messages end")
    func closes() async throws {
        let (closes, seen) = AsyncStream.makeStream(of: WebSocketConnection.CloseStatus?.self)
        let server = try await TestServer.start { _, responder in
            try await responder.webSocket { socket in
                for try await _ in socket.messages {}
                seen.yield(socket.closeStatus)
            }
        }
        let result = try await client.webSocket(Self.webSocketURL(server)) { _ in 7 }
        #expect(result == 7)
        var iterator = closes.makeAsyncIterator()
        #expect(await iterator.next() == .init(.normal))
        try server.checkForFailures()
    }

    @Test(
        "the messages end after code 1000 and fail after other codes", arguments: [1000, 1001, 1008, 4321] as [UInt16])
    func closedByPeer(code: UInt16) async throws {
        let server = try await TestServer.start { _, responder in
            try await responder.webSocket { socket in
                try await socket.send("last")
                try await socket.close(.init(rawValue: code), reason: "enough")
            }
        }
        var failure: WebSocketError?
        do {
            try await client.webSocket(Self.webSocketURL(server)) { socket in
                var received: [WebSocketConnection.Message] = []
                defer { #expect(received == [.text("last")]) }
                for try await message in socket.messages { received.append(message) }
                #expect(socket.closeStatus == .init(.normal, reason: "enough"))
            }
        } catch let error as WebSocketError {
            failure = error
        }
        if code != 1000 { #expect(failure?.closeStatus == .init(.init(rawValue: code), reason: "enough")) }
        #expect(failure?.code == (code == 1000 ? nil : .closed))
        try server.checkForFailures()
    }

    @Test("a connection whose client is shut down is lost, with the shutdown as the cause", arguments: [false, true])
    func shutDown(overTLS: Bool) async throws {
        let authority = try TestCertificateAuthority()
        let server = try await Self.echo(tls: overTLS ? try TestTLS(authority) : nil)
        let client = HTTPClient(configuration: .init(tls: TLSOptions(roots: authority.roots)))
        try await client.webSocket(Self.webSocketURL(server)) { socket in
            await client.shutDown(graceful: false)
            let error = await #expect(throws: WebSocketError.self) { for try await _ in socket.messages {} }
            #expect(error?.code == .connectionLost && error?.underlying?.code == .shutDown)
        }
        await client.expectAtRest()
    }
}

extension HTTPClient {
    /// Waits until no connection is left.
    func expectAtRest(sourceLocation: SourceLocation = #_sourceLocation) async {
        await eventually("a client at rest", sourceLocation: sourceLocation) {
            guard let statistics = pool?.statistics else { return false }
            return statistics.leased == 0 && statistics.idle == 0
        }
    }
}
