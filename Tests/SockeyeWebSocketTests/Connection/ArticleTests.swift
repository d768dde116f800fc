import Foundation
import SockeyeTestSupport
import SockeyeWebSocket
import Testing

/// The snippets of SockeyeWebSocket.md, compiled but not run.
@Suite("The article about WebSockets")
struct ArticleTests {
    @Test("every line of a snippet is compiled here")
    func snippets() throws {
        let file = URL(filePath: #filePath)
        var root = file
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let article = root.appending(path: "Sources/SockeyeWebSocket/Documentation.docc/SockeyeWebSocket.md")
        let snippets = try ArticleSnippets(of: article)
        #expect(snippets.count == 4)
        #expect(snippets.lines(missingIn: try String(contentsOf: file, encoding: .utf8)) == [])
    }

    private func overview(client: HTTPClient) async throws {
        try await client.webSocket("wss://example.com/chat") { socket in
            try await socket.send("hello")
            for try await message in socket.messages {
                switch message {
                case .text(let text): print(text)
                case .binary(let bytes): print(bytes.count)
                }
            }
        }
    }

    private func streams(_ socket: WebSocketConnection, chunks: AsyncStream<Bytes>) async throws {
        var file = Data()
        while let message = try await socket.receive() {
            for try await piece in message { file.append(contentsOf: piece) }
        }
        try await socket.send(binary: chunks)
    }

    private func settings(client: HTTPClient) async throws {
        let options = OutgoingRequest.Options.webSocket(
            subprotocols: ["chat.v2"], compression: .init(), limits: .init(messageBytes: 1 << 20),
            keepAlive: .init(interval: .seconds(10), timeout: .seconds(5)))
        try await client.webSocket(
            "wss://example.com/chat", headers: ["Origin": "https://example.com"], options: options
        ) { socket in
            print(socket.subprotocol ?? "none", socket.isCompressed)
        }
    }

    private func handle(_ message: WebSocketConnection.Message) {}

    private func errors(client: HTTPClient) async throws {
        do {
            try await client.webSocket("wss://example.com/feed", reconnecting: .init(attempts: 5)) { socket in
                try await socket.send("subscribe")
                for try await message in socket.messages { handle(message) }
            }
        } catch let error as WebSocketError {
            print(error.code, error.closeStatus?.code?.rawValue ?? 1006)
        }
    }
}
