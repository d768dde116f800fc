import Sockeye
import SockeyeWebSocket
import Testing

/// nginx as a reverse proxy in front of `websockets`.
@Suite(
    "WebSockets through nginx",
    .enabled(
        if: NginxServer.isInstalled && PythonWebSocketServer.isInstalled,
        "\(NginxServer.missing); \(PythonWebSocketServer.missing)"),
    .timeLimit(.minutes(1)))
struct NginxWebSocketTests {
    private static let upstream = Result {
        try PythonWebSocketServer(unixSocket: NginxServer.shared.get().folder + "/websocket.sock")
    }

    let nginx: NginxServer

    init() throws {
        nginx = try NginxServer.shared.get()
        _ = try Self.upstream.get()
    }

    @Test(
        "messages are echoed over TCP and TLS, compressed or not", arguments: NginxServer.Scheme.allCases,
        [true, false])
    func echo(scheme: NginxServer.Scheme, isCompressed: Bool) async throws {
        let options = WebSocketConnection.Options(compression: isCompressed ? .init() : nil)
        let url = "ws" + nginx.url("/websocket/", over: scheme).dropFirst(4)
        try await nginx.client().webSocket(url, options: .webSocket(options)) { socket in
            #expect(socket.isCompressed == isCompressed)
            var messages = socket.messages.makeAsyncIterator()
            for count in [0, 1, 1000, 100_000, 1 << 20] {
                let bytes = Bytes(RandomBytes.make(count))
                async let sent: Void = socket.send(bytes)
                let message = try await messages.next()
                try await sent
                #expect(message == .binary(bytes))
            }
        }
    }

    @Test("an upgrade is refused if the resource is not a WebSocket")
    func refused() async throws {
        let url = nginx.url("/small")
        let error = await #expect(throws: SockeyeError.self) { try await nginx.client().webSocket(url) { _ in } }
        #expect(error?.code == .upgradeRefused && error?.response?.body == Bytes("small"))
    }
}
