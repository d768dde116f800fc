import SockeyeCore

extension Behaviours {
    /// Connections that end too early.
    static let ends: [Behaviour] = [
        end("closed at once") { _ in Bytes() },
        end("cut in the status line") { request in part(of: ok, request) },
        end("cut in the head") { request in part(of: length(request) + "X: y\r\n", request) },
        end("cut after the head") { request in Bytes(ok + "Content-Length: \(request.size + 1)\r\n\r\n") },
        end("cut in the body") { request in
            let sent = request.content.slice(0..<request.chance(below: max(1, request.size)))
            return Bytes(Array((ok + "Content-Length: \(request.size + 1)\r\n\r\n").utf8) + sent)
        },
        end("cut in a chunk") { request in
            let coded = Array(chunked.utf8) + chunks(request)
            return Bytes(coded.prefix(chunked.utf8.count + request.chance(below: coded.count - chunked.utf8.count + 1)))
        },
        end("cut before the last chunk") { request in Bytes(Array(chunked.utf8) + chunks(request)) },
        end("cut in the last chunk") { request in Bytes(Array(chunked.utf8) + chunks(request) + Array("0\r\n".utf8)) },
        end("cut in the trailers") { request in Bytes(Array(chunked.utf8) + chunks(request) + Array("0\r\nA: b\r".utf8))
        },
        end("cut in an interim answer") { _ in Bytes("HTTP/1.1 103 Early Hints\r\nLink") },
        reset("reset at once") { _ in Bytes() },
        reset("reset in the head") { request in part(of: length(request), request) },
        reset("reset in the body") { request in Bytes(ok + "Content-Length: \(request.size + 9)\r\n\r\nbody") },
        Behaviour("reset after", .either) { request, peer in
            try await peer.write(length(request) + "\r\n", request.content)
            peer.reset()
            return false
        },
        Behaviour("closed in good order within", .failure) { request, peer in
            try await peer.write(ok + "Content-Length: \(request.size + 1)\r\n\r\n", request.content)
            return false
        },
    ]

    private static func part(of text: String, _ request: SoakRequest) -> Bytes {
        Bytes(Array(text.utf8).prefix(1 + request.chance(below: text.utf8.count - 1)))
    }

    private static func end(_ name: String, _ bytes: @escaping @Sendable (SoakRequest) -> Bytes) -> Behaviour {
        Behaviour(name, .failure) { request, peer in
            try await peer.write(bytes(request))
            // Over TLS half of these connections end with close_notify, like a connection that ends correctly.
            if request.nonce % 2 == 0 { peer.cut() }
            return false
        }
    }

    private static func reset(_ name: String, _ bytes: @escaping @Sendable (SoakRequest) -> Bytes) -> Behaviour {
        Behaviour(name, .failure) { request, peer in
            try await peer.write(bytes(request))
            peer.reset()
            return false
        }
    }
}
