import SockeyeCore

extension Behaviours {
    /// Answers that contradict their lengths or chunks.
    static let contradictions: [Behaviour] = [
        // The announced bytes are the content. The bytes after them must never become an answer to another request.
        surplus("surplus bytes") { request in Bytes([UInt8](repeating: 0x78, count: 1 + request.chance(below: 100))) },
        surplus("surplus answer") { _ in Bytes(ok + "Content-Length: 8\r\n\r\nsmuggled") },
        surplus("surplus empty line") { _ in Bytes("\r\n") },
        Behaviour("surplus chunks", .content) { request, peer in
            let answer = ok + "Content-Length: 8\r\n\r\nsmuggled"
            try await peer.write(Bytes(Array(chunked.utf8) + chunks(request) + Array(("0\r\n\r\n" + answer).utf8)))
            return true
        },
        Behaviour("length and chunks", .content) { request, peer in
            let head = ok + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"
            try await peer.write(Bytes(Array(head.utf8) + chunks(request) + Array("0\r\n\r\n".utf8)))
            return true
        },
        .badHead("length negative", ok + "Content-Length: -1\r\n\r\n"),
        .badHead("length with a sign", ok + "Content-Length: +SIZE\r\n\r\n"),
        .badHead("length too large", ok + "Content-Length: 99999999999999999999\r\n\r\n"),
        .badHead("length hexadecimal", ok + "Content-Length: 0xSIZE\r\n\r\n"),
        .badHead("lengths differ", ok + "Content-Length: SIZE\r\nContent-Length: 1SIZE\r\n\r\n"),
        .badHead("length list differs", ok + "Content-Length: SIZE, 1SIZE\r\n\r\n"),
        .badHead("unknown transfer coding", ok + "Transfer-Encoding: xchunked\r\n\r\n"),
        .badHead("chunked twice", ok + "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n"),
        .badHead("HTTP/1.0 chunked", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        .badHead("chunk without a size", chunked + "\r\nabc\r\n0\r\n\r\n"),
        .badHead("chunk size negative", chunked + "-3\r\nabc\r\n0\r\n\r\n"),
        .badHead("chunk size too large", chunked + "fffffffffffffffff\r\nabc\r\n"),
        .badHead("chunk size at the edge", chunked + "8000000000000000\r\nabc\r\n"),
        .badHead("chunk longer than said", chunked + "2\r\nabc\r\n0\r\n\r\n"),
        .badHead("chunk shorter than said", chunked + "5\r\nabc\r\n0\r\n\r\n"),
        .badHead("chunk line ends in LF", chunked + "3\nabc\r\n0\r\n\r\n"),
        .flood("endless chunk extension", start: chunked + "1;", "x"),
        .flood("endless trailers", start: chunked + "0\r\n", "A: b\r\n"),
        .flood("endless chunk extensions", start: chunked, "1;extension=value\r\nx\r\n"),
    ]

    private static func surplus(_ name: String, _ more: @escaping @Sendable (SoakRequest) -> Bytes) -> Behaviour {
        Behaviour(name, .content) { request, peer in
            // The surplus bytes are written together with the content, so that they have arrived when the content ends.
            let content = request.content
            try await peer.write(Bytes(Array((length(request) + "\r\n").utf8) + content + more(request)))
            return true
        }
    }
}
