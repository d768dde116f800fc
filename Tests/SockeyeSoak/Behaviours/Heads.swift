import SockeyeCore

extension Behaviours {
    /// Heads that are invalid or too large.
    static let heads: [Behaviour] = [
        .badHead("garbage", "garbage SIZE\r\n\r\n"),
        .badHead("HTTP/0.9", "<html>SIZE"),
        .badHead("HTTP/2", "HTTP/2.0 200 OK\r\nContent-Length: SIZE\r\n\r\n"),
        .badHead("SSH", "SSH-2.0-OpenSSH_9.2\r\n"),
        .badHead("a TLS alert", "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}\u{28}"),
        .badHead("status of two digits", "HTTP/1.1 20 OK\r\nContent-Length: SIZE\r\n\r\n"),
        .badHead("status of four digits", "HTTP/1.1 2000 OK\r\nContent-Length: SIZE\r\n\r\n"),
        .badHead("status below 100", "HTTP/1.1 099 OK\r\nContent-Length: SIZE\r\n\r\n"),
        .badHead("NUL in the head", ok + "X: a\u{0}b\r\nContent-Length: SIZE\r\n\r\n"),
        .badHead("CR alone", ok + "X: a\rb\r\nContent-Length: SIZE\r\n\r\n"),
        .badHead("lines end in LF", "HTTP/1.1 200 OK\nContent-Length: SIZE\n\n"),
        .badHead("blank before the colon", ok + "Content-Length : SIZE\r\n\r\n"),
        .badHead("line without a colon", ok + "Content-Length SIZE\r\n\r\n"),
        .badHead("field without a name", ok + ": x\r\nContent-Length: SIZE\r\n\r\n"),
        .badHead("folded field", orElse: .either, ok + "X: a\r\n b\r\nContent-Length: SIZE\r\n\r\n"),
        .badHead("blank before the first field", ok + " X: a\r\nContent-Length: SIZE\r\n\r\n"),
        .badHead("unrequested switch of protocols", "HTTP/1.1 101 Now\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
        .flood("endless status line", start: "HTTP/1.1 200 ", "x"),
        .flood("endless field", start: ok + "X: ", "x"),
        .flood("endless fields", start: ok, "X: y\r\n"),
        .flood("endless interim answers", start: "", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
        .flood("endless empty lines", start: "", "\r\n"),
    ]

    /// Answers that never arrive, or arrive too late.
    static let silences: [Behaviour] = [
        .silent("silence") { _ in Bytes() },
        .silent("silence in the head") { request in Bytes(length(request)) },
        .silent("silence in the body") { request in
            Bytes(Array((ok + "Content-Length: \(request.size + 1)\r\n\r\n").utf8) + request.content)
        },
        .silent("silence in the chunks") { request in Bytes(Array(chunked.utf8) + chunks(request)) },
        .silent("silence after an interim answer") { _ in Bytes("HTTP/1.1 102 Processing\r\n\r\n") },
        Behaviour("drip", .failure, deadline: .milliseconds(150)) { request, peer in
            try await peer.write(ok + "Content-Length: 1000\r\n\r\n")
            for _ in 0..<100 {
                try await peer.write("x")
                try await Task.sleep(for: .milliseconds(20))
            }
            return false
        },
        Behaviour("late", .content) { request, peer in
            try await Task.sleep(for: .milliseconds(20 + request.chance(below: 40)))
            try await peer.write(length(request) + "\r\n", request.content)
            return true
        },
    ]
}
