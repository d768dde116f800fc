import Sockeye
import SockeyeCore
import SockeyeTesting
import SockeyeTransport

/// Does what the target of each request says: `/kind/size`.
enum SoakServer {
    static func start(tls: TLSServerContext?) throws -> FaultServer {
        try FaultServer(tls: tls) { peer in
            while let head = try await peer.connection.read(through: "\r\n\r\n") {
                let text = String(decoding: Array(head), as: UTF8.self)
                let parts = text.split(separator: "/", maxSplits: 3)
                guard parts.count > 2, let size = Int(parts[2].prefix { $0.isNumber }) else { return }
                try await readBody(of: text, from: peer.connection)
                guard try await answer(String(parts[1]), size, isHead: text.hasPrefix("HEAD"), peer) else { return }
            }
        }
    }

    private static func readBody(of head: String, from connection: TestConnection) async throws {
        let lower = head.lowercased()
        if let field = lower.firstRange(of: "content-length: "),
            let count = Int(lower[field.upperBound...].prefix { $0.isNumber })
        {
            var rest = count
            while rest > 0, let piece = try await connection.read(upTo: rest) { rest -= piece.count }
        } else if lower.contains("transfer-encoding: chunked") {
            while let line = try await connection.read(through: "\r\n") {
                let size = Int(String(decoding: Array(line.dropLast(2)), as: UTF8.self), radix: 16) ?? 0
                _ = try await connection.read(exactly: size + 2)
                if size == 0 { return }
            }
        }
    }

    /// Whether the connection goes on.
    private static func answer(
        _ kind: String, _ size: Int, isHead: Bool, _ peer: FaultServer.Peer
    ) async throws -> Bool {
        let connection = peer.connection
        let body = isHead ? Bytes() : Large.body(size)
        switch kind {
        case "length":
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            try await connection.write(body)
            return true
        case "chunked":
            try await connection.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            if !isHead { try await writeChunked(body, to: connection) }
            return true
        case "close":
            try await connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
            try await connection.write(body)
            try await connection.closeWrite()
        case "silent":
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n")
            try await connection.write(body)
        default:
            try await fail(kind, body, announcing: size, peer)
        }
        return false
    }

    private static func writeChunked(_ body: Bytes, to connection: TestConnection) async throws {
        if !body.isEmpty {
            try await connection.write("\(String(body.count, radix: 16))\r\n")
            try await connection.write(body)
            try await connection.write("\r\n")
        }
        try await connection.write("0\r\nX-Size: \(body.count)\r\n\r\n")
    }

    /// What no server should do.
    private static func fail(
        _ kind: String, _ body: Bytes, announcing size: Int, _ peer: FaultServer.Peer
    ) async throws {
        let connection = peer.connection
        switch kind {
        case "truncated":
            try await connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size + 10)\r\n\r\n")
            try await connection.write(body)
            peer.cut()
        case "reset":
            connection.reset()
        case "garbage":
            try await connection.write("garbage \(size)\r\n\r\n")
        default:
            // Never answers; the client gives up.
            try await connection.discardToEnd()
        }
    }
}
