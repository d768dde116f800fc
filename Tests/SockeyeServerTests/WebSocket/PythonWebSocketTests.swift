import Sockeye
import SockeyeWebSocket
import Testing

@Suite(
    "WebSocket servers in Python",
    .enabled(if: PythonWebSocketServer.isInstalled, "\(PythonWebSocketServer.missing)"), .timeLimit(.minutes(2)))
struct PythonWebSocketTests {
    typealias Library = PythonWebSocketServer.Library

    let client = HTTPClient()
    let server: PythonWebSocketServer

    init() throws {
        server = try PythonWebSocketServer.shared.get()
    }

    /// The compression offers: none, the default, small windows, and no context takeover.
    static let offers: [WebSocketConnection.Compression?] = {
        var small = WebSocketConnection.Compression()
        (small.ownWindowBits, small.peerWindowBits) = (9, 9)
        var forgetful = WebSocketConnection.Compression()
        (forgetful.keepsOwnContext, forgetful.keepsPeerContext) = (false, false)
        return [nil, .init(), small, forgetful]
    }()

    @Test("texts and bytes of all sizes are echoed, compressed or not", arguments: Library.allCases, 0..<4)
    func echo(library: Library, offer: Int) async throws {
        var options = WebSocketConnection.Options(compression: Self.offers[offer])
        options.compression?.minimumSize = 0
        try await client.webSocket(server.url(library), options: .webSocket(options)) { socket in
            #expect(socket.isCompressed == (Self.offers[offer] != nil))
            var messages = socket.messages.makeAsyncIterator()
            for count in [0, 1, 125, 126, 1000, 65_535, 65_536, 1 << 20] {
                let text = String(repeating: "aä☺", count: count / 6) + String(repeating: "z", count: count % 6)
                try await socket.send(text)
                #expect(try await messages.next() == .text(text))
                let bytes = Bytes(RandomBytes.make(count))
                try await socket.send(bytes)
                #expect(try await messages.next() == .binary(bytes))
            }
        }
    }

    @Test("client and server agree on a subprotocol", arguments: Library.allCases)
    func subprotocol(library: Library) async throws {
        try await client.webSocket(server.url(library), options: .webSocket(subprotocols: ["chat.v1"])) { socket in
            #expect(socket.subprotocol == "chat.v1")
        }
    }

    @Test("the server accepts a message in pieces, and the client one in fragments")
    func fragments() async throws {
        try await client.webSocket(server.url(.websockets, "/fragments"), options: .webSocket(compression: .init())) {
            socket in
            let content = RandomBytes.make(300_000)
            let pieces = AsyncStream { stream in
                for start in stride(from: 0, to: content.count, by: 7_001) {
                    stream.yield(Bytes(content[start..<min(content.count, start + 7_001)]))
                }
                stream.finish()
            }
            async let sent: Void = socket.send(binary: pieces)
            let message = try #require(try await socket.receive())
            #expect(try await message.bytes() == Bytes(content))
            try await sent
        }
    }

    @Test("client and server answer each other's pings")
    func pings() async throws {
        try await client.webSocket(server.url(.websockets, "/ping")) { socket in
            async let message = socket.receive()
            try await socket.ping()
            try await socket.send("x")
            #expect(try await message?.bytes() == Bytes("x"))
        }
    }

    @Test("the connection closes with a code and a reason")
    func closes() async throws {
        let url = server.url(.websockets, "/close")
        let error = await #expect(throws: WebSocketError.self) {
            try await client.webSocket(url) { socket in
                try await socket.send("x")
                for try await _ in socket.messages {}
            }
        }
        #expect(error?.closeStatus == .init(.init(rawValue: 4321), reason: "that was it"))
    }
}
