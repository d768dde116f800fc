import SockeyeCore
import SockeyeHTTP

extension Behaviours {
    /// Content codings, valid and faulty.
    static let codings: [Behaviour] = [
        coded("gzip", .content, "gzip") { try ContentEncoder.encode($0, as: .gzip, level: 1) },
        coded("deflate", .content, "deflate") { try ContentEncoder.encode($0, as: .deflate, level: 1) },
        coded("gzip in two members", .content, "gzip") { content in
            let half = content.count / 2
            let first = try ContentEncoder.encode(content.slice(0..<half), as: .gzip, level: 1)
            return Bytes(Array(first) + (try ContentEncoder.encode(content.slice(half..<content.count), as: .gzip)))
        },
        coded("gzip cut short", .failure, "gzip") { content in
            let coded = try ContentEncoder.encode(content, as: .gzip, level: 1)
            return coded.slice(0..<coded.count - 5)
        },
        coded("gzip damaged", .failure, "gzip") { content in
            var coded = Array(try ContentEncoder.encode(content, as: .gzip, level: 1))
            coded[coded.count - 6] ^= 0x10
            return Bytes(coded)
        },
        coded("gzip and more", .failure, "gzip") { content in
            Bytes(Array(try ContentEncoder.encode(content, as: .gzip, level: 1)) + Array("more".utf8))
        },
        coded("invalid gzip", .failure, "gzip") { content in Bytes(Array("none".utf8) + content) },
        coded("gzip bomb", .failure, "gzip") { _ in try bomb.get() },
        coded("six codings", .failure, "gzip, gzip, gzip, gzip, gzip, gzip") { $0 },
    ]

    /// 32 MiB of zeros: more than the limit for decoded bytes that the client of this test has.
    private static let bomb = Result {
        try ContentEncoder.encode(Bytes([UInt8](repeating: 0, count: 32 << 20)), as: .gzip)
    }

    private static func coded(
        _ name: String, _ expected: Behaviour.Outcome, _ coding: String,
        _ encode: @escaping @Sendable (Bytes) throws -> Bytes
    ) -> Behaviour {
        Behaviour(name, expected) { request, peer in
            let body = try encode(request.content)
            try await peer.write(ok + "Content-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n", body)
            return true
        }
    }

    /// Chains of redirects that end, and some that do not.
    static let redirects: [Behaviour] = [
        Behaviour("redirect", .content) { request, peer in
            try await lead(302, to: request.path("length"), peer)
        },
        Behaviour("redirect with a body", .content) { request, peer in
            let body = "moved"
            let fields = "Location: \(request.path("chunked"))\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            try await peer.write("HTTP/1.1 301 Moved\r\n" + fields + body)
            return true
        },
        Behaviour("redirect five times", .content) { request, peer in
            let next =
                request.step < 4 ? request.path(request.behaviour, step: request.step + 1) : request.path("length")
            return try await lead(307, to: next, peer)
        },
        Behaviour("redirected upload", .content, shape: .upload) { request, peer in
            _ = try await peer.readBody(request)
            return try await lead(308, to: request.path("upload"), peer)
        },
        Behaviour("redirect in a circle", .failure) { request, peer in
            try await lead(302, to: request.path(request.behaviour), peer)
        },
        Behaviour("endless redirects", .failure) { request, peer in
            let next = request.path(request.behaviour, step: request.step + 1)
            return try await lead(302, to: next, peer)
        },
        Behaviour("redirect to a file", .failure) { _, peer in try await lead(302, to: "file:///etc/passwd", peer) },
        Behaviour("redirect to nowhere", .failure) { _, peer in try await lead(302, to: "http://[bad/", peer) },
        Behaviour("redirect to two places", .failure) { _, peer in
            try await lead(302, to: "/a\r\nLocation: /b", peer)
        },
        Behaviour("redirect cut", .failure) { _, peer in
            try await peer.write("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Le")
            return false
        },
    ]

    private static func lead(_ status: Int, to location: String, _ peer: ChaosPeer) async throws -> Bool {
        try await peer.write("HTTP/1.1 \(status) Over there\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
        return true
    }
}
