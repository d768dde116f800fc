import SockeyeCore

extension Behaviours {
    /// Connections that end too early.
    static let ends: [Behaviour] = [
        end("closed at once") { _ in Bytes() },
        end("cut in the status line") { asked in part(of: ok, asked) },
        end("cut in the head") { asked in part(of: length(asked) + "X: y\r\n", asked) },
        end("cut after the head") { asked in Bytes(ok + "Content-Length: \(asked.size + 1)\r\n\r\n") },
        end("cut in the body") { asked in
            let sent = asked.content.slice(0..<asked.chance(below: max(1, asked.size)))
            return Bytes(Array((ok + "Content-Length: \(asked.size + 1)\r\n\r\n").utf8) + sent)
        },
        end("cut in a chunk") { asked in
            let coded = Array(chunked.utf8) + chunks(asked)
            return Bytes(coded.prefix(chunked.utf8.count + asked.chance(below: coded.count - chunked.utf8.count + 1)))
        },
        end("cut before the last chunk") { asked in Bytes(Array(chunked.utf8) + chunks(asked)) },
        end("cut in the last chunk") { asked in Bytes(Array(chunked.utf8) + chunks(asked) + Array("0\r\n".utf8)) },
        end("cut in the trailers") { asked in Bytes(Array(chunked.utf8) + chunks(asked) + Array("0\r\nA: b\r".utf8)) },
        end("cut in an interim answer") { _ in Bytes("HTTP/1.1 103 Early Hints\r\nLink") },
        reset("reset at once") { _ in Bytes() },
        reset("reset in the head") { asked in part(of: length(asked), asked) },
        reset("reset in the body") { asked in Bytes(ok + "Content-Length: \(asked.size + 9)\r\n\r\nbody") },
        Behaviour("reset after", .either) { asked, peer in
            try await peer.write(length(asked) + "\r\n", asked.content)
            peer.reset()
            return false
        },
        Behaviour("closed in good order within", .failure) { asked, peer in
            try await peer.write(ok + "Content-Length: \(asked.size + 1)\r\n\r\n", asked.content)
            return false
        },
    ]

    private static func part(of text: String, _ asked: Asked) -> Bytes {
        Bytes(Array(text.utf8).prefix(1 + asked.chance(below: text.utf8.count - 1)))
    }

    private static func end(_ name: String, _ bytes: @escaping @Sendable (Asked) -> Bytes) -> Behaviour {
        Behaviour(name, .failure) { asked, peer in
            try await peer.write(bytes(asked))
            // Over TLS half of these connections end with close_notify, which looks like a proper end.
            if asked.nonce % 2 == 0 { peer.cut() }
            return false
        }
    }

    private static func reset(_ name: String, _ bytes: @escaping @Sendable (Asked) -> Bytes) -> Behaviour {
        Behaviour(name, .failure) { asked, peer in
            try await peer.write(bytes(asked))
            peer.reset()
            return false
        }
    }
}
