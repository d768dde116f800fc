import SockeyeCore

extension Behaviours {
    /// Correct answers in all their forms.
    static let correctAnswers: [Behaviour] = [
        Behaviour("length", .content, weight: 24) { request, peer in
            try await peer.write(length(request) + "\r\n", request.content)
            return true
        },
        Behaviour("head", .empty, shape: .head, weight: 2) { request, peer in
            try await peer.write(length(request) + "\r\n")
            return true
        },
        Behaviour("post", .content, shape: .post, weight: 4) { request, peer in
            _ = try await peer.readBody(request)
            try await peer.write(length(request) + "\r\n", request.content)
            return true
        },
        Behaviour("dribbled", .content) { request, peer in
            try await peer.dribble(Bytes(length(request) + "\r\n"), by: 1 + request.chance(below: 30))
            try await peer.dribble(request.content, by: 1 + request.size / 7)
            return true
        },
        Behaviour("no content", .empty) { _, peer in
            try await peer.write("HTTP/1.1 204 No Content\r\n\r\n")
            return true
        },
        Behaviour("not modified", .empty) { request, peer in
            try await peer.write("HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\nContent-Length: \(request.size)\r\n\r\n")
            return true
        },
        Behaviour("server error", .content) { request, peer in
            let head = "HTTP/1.1 500 Odd\r\nContent-Length: \(request.size)\r\n\r\n"
            try await peer.write(head, request.content)
            return true
        },
        Behaviour("challenge", .content) { request, peer in
            let fields = "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\"\r\nContent-Length: \(request.size)\r\n\r\n"
            try await peer.write("HTTP/1.1 401 No\r\n" + fields, request.content)
            return true
        },
        Behaviour("early hints", .content) { request, peer in
            let hint = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
            try await peer.write(hint + hint + length(request) + "\r\n", request.content)
            return true
        },
        Behaviour("unrequested 100 Continue", .content) { request, peer in
            try await peer.write("HTTP/1.1 100 Continue\r\n\r\n" + length(request) + "\r\n", request.content)
            return true
        },
        Behaviour("no reason", .content) { request, peer in
            try await peer.write("HTTP/1.1 200\r\nContent-Length:\(request.size) \t\r\n\r\n", request.content)
            return true
        },
        Behaviour("empty line first", .content) { request, peer in
            try await peer.write("\r\n" + length(request) + "\r\n", request.content)
            return true
        },
        Behaviour("odd fields", .content) { request, peer in
            let fields = "x-LOWER:\r\nX-Latin: \u{E9}\u{FF}\r\nX-Tab: a\tb\r\nSet-Cookie: a=b\r\nset-cookie: c=d\r\n"
            try await peer.write(length(request) + fields + "\r\n", request.content)
            return true
        },
        Behaviour("many fields", .content) { request, peer in
            let fields = (0..<150).map { "X-Field-\($0): \($0)\r\n" }.joined()
            try await peer.write(length(request) + fields + "\r\n", request.content)
            return true
        },
        Behaviour("large head", .content) { request, peer in
            let field = "X-Large: \(String(repeating: "x", count: 60_000))\r\n"
            try await peer.write(length(request) + field + "\r\n", request.content)
            return true
        },
        Behaviour("keep-alive fields", .content) { request, peer in
            let fields = "Connection: Keep-Alive\r\nKeep-Alive: timeout=60, max=100\r\n\r\n"
            try await peer.write(length(request) + fields, request.content)
            return true
        },
        Behaviour("last use", .content) { request, peer in
            try await peer.write(
                length(request) + "Keep-Alive: timeout=60, max=0\r\nConnection: close\r\n\r\n", request.content)
            return false
        },
    ]

    /// Ways to mark the end of a body.
    static let framings: [Behaviour] = [
        Behaviour("chunked", .content, weight: 12) { request, peer in
            try await peer.write(chunked, chunks(request))
            try await peer.write("0\r\n\r\n")
            return true
        },
        Behaviour("tiny chunks", .content) { request, peer in
            try await peer.write(chunked, chunks(request, longest: 5))
            try await peer.write("0\r\n\r\n")
            return true
        },
        Behaviour("chunk extensions", .content) { request, peer in
            try await peer.write(chunked, chunks(request, longest: 400 + request.size / 16, extensions: true))
            try await peer.write("0;end\r\n\r\n")
            return true
        },
        Behaviour("dribbled chunks", .content) { request, peer in
            let coded = chunks(request, longest: 500)
            try await peer.write(chunked)
            try await peer.dribble(coded, by: 1 + coded.count / 11)
            try await peer.dribble(Bytes("0\r\n\r\n"), by: 1)
            return true
        },
        Behaviour("trailers", .content) { request, peer in
            try await peer.write(chunked, chunks(request))
            try await peer.write("0\r\nX-Size: \(request.size)\r\nContent-Length: 1\r\n\r\n")
            return true
        },
        Behaviour("until the end", .content) { request, peer in
            try await peer.write(ok + "Connection: close\r\n\r\n", request.content)
            return false
        },
        Behaviour("HTTP/1.0", .content) { request, peer in
            try await peer.write("HTTP/1.0 200 OK\r\nContent-Length: \(request.size)\r\n\r\n", request.content)
            return false
        },
        Behaviour("HTTP/1.0 until the end", .content) { request, peer in
            try await peer.write("HTTP/1.0 200 OK\r\n\r\n", request.content)
            return false
        },
        Behaviour("HTTP/1.0 kept alive", .content) { request, peer in
            let head = "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: \(request.size)\r\n\r\n"
            try await peer.write(head, request.content)
            return true
        },
        Behaviour("length twice", .content) { request, peer in
            try await peer.write(
                length(request) + "Content-Length: \(request.size), \(request.size)\r\n\r\n", request.content)
            return true
        },
        Behaviour("closed after", .content, weight: 3) { request, peer in
            try await peer.write(length(request) + "Connection: keep-alive\r\n\r\n", request.content)
            return false
        },
        Behaviour("cut after", .content) { request, peer in
            try await peer.write(length(request) + "\r\n", request.content)
            peer.cut()
            return false
        },
    ]
}
