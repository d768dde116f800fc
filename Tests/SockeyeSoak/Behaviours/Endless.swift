import SockeyeCore

extension Behaviours {
    /// Answers of peers that never pause, for each way to read content. A call must end by its deadline nevertheless.
    static let endless: [Behaviour] = [
        endless("endless bytes", read: .pieces, ok + "\r\n", "x"),
        endless("endless chunks", read: .pieces, chunked, "1\r\nx\r\n"),
        endless("endless lines", read: .lines, ok + "\r\n", "\n"),
        endless("endless events", read: .events, ok + "Content-Type: text/event-stream\r\n\r\n", "data: x\n\n"),
        endless("endless comments", read: .events, ok + "Content-Type: text/event-stream\r\n\r\n", ":\n"),
        endless("endless texts", read: .jsonLines, ok + "Content-Type: application/x-ndjson\r\n\r\n", "{}\n"),
        endless("endless empty members", read: .pieces, ok + "Content-Encoding: gzip\r\n\r\n", emptyMember),
        endless("endless empty messages", read: .socket, "", empty(0x82)),
        endless("endless empty fragments", read: .socket, "", empty(0x00), first: empty(0x02)),
        endless("endless pings", read: .socket, "", empty(0x89)),
    ]

    /// A WebSocket frame without payload (RFC 6455 5.2).
    private static func empty(_ head: UInt8) -> [UInt8] { [head, 0] }

    /// A gzip member without content (RFC 1952).
    private static let emptyMember: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]

    private static func endless(_ name: String, read: Behaviour.Shape, _ head: String, _ more: String) -> Behaviour {
        endless(name, read: read, head, Array(more.utf8))
    }

    private static func endless(
        _ name: String, read: Behaviour.Shape, _ head: String, _ more: [UInt8], first: [UInt8] = []
    ) -> Behaviour {
        let block = Bytes(Array(repeatElement(more, count: max(1, 16_000 / more.count)).joined()))
        return Behaviour(name, .failure, shape: read, deadline: .milliseconds(60), isRare: true) { request, peer in
            if read == .socket { try await peer.upgrade(request) } else { try await peer.write(head) }
            try await peer.write(Bytes(first))
            // Sends gigabytes, unless the client closes the connection.
            for _ in 0..<200_000 { try await peer.write(block) }
            return false
        }
    }
}
