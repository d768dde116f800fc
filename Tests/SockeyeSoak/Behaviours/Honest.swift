import SockeyeCore

extension Behaviours {
    /// Correct answers in all their forms.
    static let honest: [Behaviour] = [
        Behaviour("length", .content, weight: 24) { asked, peer in
            try await peer.write(length(asked) + "\r\n", asked.content)
            return true
        },
        Behaviour("head", .empty, shape: .head, weight: 2) { asked, peer in
            try await peer.write(length(asked) + "\r\n")
            return true
        },
        Behaviour("post", .content, shape: .post, weight: 4) { asked, peer in
            _ = try await peer.readBody(asked)
            try await peer.write(length(asked) + "\r\n", asked.content)
            return true
        },
        Behaviour("dribbled", .content) { asked, peer in
            try await peer.dribble(Bytes(length(asked) + "\r\n"), by: 1 + asked.chance(below: 30))
            try await peer.dribble(asked.content, by: 1 + asked.size / 7)
            return true
        },
        Behaviour("no content", .empty) { _, peer in
            try await peer.write("HTTP/1.1 204 No Content\r\n\r\n")
            return true
        },
        Behaviour("not modified", .empty) { asked, peer in
            try await peer.write("HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\nContent-Length: \(asked.size)\r\n\r\n")
            return true
        },
        Behaviour("server error", .content) { asked, peer in
            let head = "HTTP/1.1 500 Odd\r\nContent-Length: \(asked.size)\r\n\r\n"
            try await peer.write(head, asked.content)
            return true
        },
        Behaviour("challenge", .content) { asked, peer in
            let fields = "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\"\r\nContent-Length: \(asked.size)\r\n\r\n"
            try await peer.write("HTTP/1.1 401 No\r\n" + fields, asked.content)
            return true
        },
        Behaviour("early hints", .content) { asked, peer in
            let hint = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
            try await peer.write(hint + hint + length(asked) + "\r\n", asked.content)
            return true
        },
        Behaviour("continue unasked", .content) { asked, peer in
            try await peer.write("HTTP/1.1 100 Continue\r\n\r\n" + length(asked) + "\r\n", asked.content)
            return true
        },
        Behaviour("no reason", .content) { asked, peer in
            try await peer.write("HTTP/1.1 200\r\nContent-Length:\(asked.size) \t\r\n\r\n", asked.content)
            return true
        },
        Behaviour("empty line first", .content) { asked, peer in
            try await peer.write("\r\n" + length(asked) + "\r\n", asked.content)
            return true
        },
        Behaviour("odd fields", .content) { asked, peer in
            let fields = "x-LOWER:\r\nX-Latin: \u{E9}\u{FF}\r\nX-Tab: a\tb\r\nSet-Cookie: a=b\r\nset-cookie: c=d\r\n"
            try await peer.write(length(asked) + fields + "\r\n", asked.content)
            return true
        },
        Behaviour("many fields", .content) { asked, peer in
            let fields = (0..<150).map { "X-Field-\($0): \($0)\r\n" }.joined()
            try await peer.write(length(asked) + fields + "\r\n", asked.content)
            return true
        },
        Behaviour("large head", .content) { asked, peer in
            let field = "X-Large: \(String(repeating: "x", count: 60_000))\r\n"
            try await peer.write(length(asked) + field + "\r\n", asked.content)
            return true
        },
        Behaviour("keep-alive fields", .content) { asked, peer in
            let fields = "Connection: Keep-Alive\r\nKeep-Alive: timeout=60, max=100\r\n\r\n"
            try await peer.write(length(asked) + fields, asked.content)
            return true
        },
        Behaviour("last use", .content) { asked, peer in
            try await peer.write(
                length(asked) + "Keep-Alive: timeout=60, max=0\r\nConnection: close\r\n\r\n", asked.content)
            return false
        },
    ]

    /// Ways to mark the end of a body.
    static let framings: [Behaviour] = [
        Behaviour("chunked", .content, weight: 12) { asked, peer in
            try await peer.write(chunked, chunks(asked))
            try await peer.write("0\r\n\r\n")
            return true
        },
        Behaviour("tiny chunks", .content) { asked, peer in
            try await peer.write(chunked, chunks(asked, longest: 5))
            try await peer.write("0\r\n\r\n")
            return true
        },
        Behaviour("chunk extensions", .content) { asked, peer in
            try await peer.write(chunked, chunks(asked, longest: 400 + asked.size / 16, extensions: true))
            try await peer.write("0;end\r\n\r\n")
            return true
        },
        Behaviour("dribbled chunks", .content) { asked, peer in
            let coded = chunks(asked, longest: 500)
            try await peer.write(chunked)
            try await peer.dribble(coded, by: 1 + coded.count / 11)
            try await peer.dribble(Bytes("0\r\n\r\n"), by: 1)
            return true
        },
        Behaviour("trailers", .content) { asked, peer in
            try await peer.write(chunked, chunks(asked))
            try await peer.write("0\r\nX-Size: \(asked.size)\r\nContent-Length: 1\r\n\r\n")
            return true
        },
        Behaviour("until the end", .content) { asked, peer in
            try await peer.write(ok + "Connection: close\r\n\r\n", asked.content)
            return false
        },
        Behaviour("HTTP/1.0", .content) { asked, peer in
            try await peer.write("HTTP/1.0 200 OK\r\nContent-Length: \(asked.size)\r\n\r\n", asked.content)
            return false
        },
        Behaviour("HTTP/1.0 until the end", .content) { asked, peer in
            try await peer.write("HTTP/1.0 200 OK\r\n\r\n", asked.content)
            return false
        },
        Behaviour("HTTP/1.0 kept alive", .content) { asked, peer in
            let head = "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: \(asked.size)\r\n\r\n"
            try await peer.write(head, asked.content)
            return true
        },
        Behaviour("length twice", .content) { asked, peer in
            try await peer.write(length(asked) + "Content-Length: \(asked.size), \(asked.size)\r\n\r\n", asked.content)
            return true
        },
        Behaviour("closed after", .content, weight: 3) { asked, peer in
            try await peer.write(length(asked) + "Connection: keep-alive\r\n\r\n", asked.content)
            return false
        },
        Behaviour("cut after", .content) { asked, peer in
            try await peer.write(length(asked) + "\r\n", asked.content)
            peer.cut()
            return false
        },
    ]
}
