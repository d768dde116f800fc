import SockeyeCore
import SockeyeNet
import SockeyeTesting
import SockeyeWebSocket

/// The server's end of a connection.
struct ChaosPeer: Sendable {
    let connection: TestConnection
    let socket: SocketStream

    func readHead() async throws -> SoakRequest? {
        try await connection.read(through: "\r\n\r\n").flatMap(SoakRequest.init)
    }

    func write(_ text: String) async throws { try await connection.write(Bytes(text)) }
    func write(_ bytes: Bytes) async throws { try await connection.write(bytes) }

    /// Writes head and body at once, so that small ones arrive in one packet.
    func write(_ head: String, _ body: Bytes) async throws {
        guard body.count < 16_000 else {
            try await write(head)
            return try await write(body)
        }
        var whole = Array(head.utf8)
        whole += body
        try await connection.write(Bytes(whole))
    }

    /// Writes pieces of at most `count` bytes, each in a separate packet.
    func dribble(_ bytes: Bytes, by count: Int) async throws {
        var sent = 0
        while sent < bytes.count {
            let end = min(bytes.count, sent + count)
            try await write(bytes.slice(sent..<end))
            await Task.yield()
            sent = end
        }
    }

    /// Answers the handshake of a WebSocket (RFC 6455 4.2.2).
    func upgrade(_ request: SoakRequest) async throws {
        guard let accept = request.field("sec-websocket-key").flatMap(OpeningHandshake.accept) else {
            throw UnmetCondition("the key of a WebSocket")
        }
        try await write(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(accept)\r\n\r\n")
    }

    /// Ends the connection below TLS, without close_notify. Over plain TCP this is an orderly end of both directions.
    func cut() { socket.abort() }

    func reset() { connection.reset() }

    /// Reads the body that a request announces, and returns its digest.
    func readBody(_ request: SoakRequest) async throws -> String {
        let digest = Digest()
        if let length = request.field("content-length").flatMap({ Int($0) }) {
            var rest = length
            while rest > 0 {
                guard let piece = try await connection.read(upTo: min(rest, 64 << 10)) else {
                    throw UnmetCondition("a body")
                }
                digest.add(piece)
                rest -= piece.count
            }
        } else if request.field("transfer-encoding") != nil {
            while let line = try await connection.read(through: "\r\n") {
                let size = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) ?? 0
                let chunk = try await connection.read(exactly: size + 2)
                if size == 0 { break }
                digest.add(chunk.slice(0..<size))
            }
        }
        return digest.finish()
    }
}
