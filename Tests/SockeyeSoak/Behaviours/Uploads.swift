import SockeyeCore
import SockeyeTesting

extension Behaviours {
    /// Answers to request bodies, and downloads.
    static let uploads: [Behaviour] = [
        Behaviour("upload", .content, shape: .upload, weight: 4, answer: echo),
        Behaviour("upload stream", .content, shape: .stream, weight: 3, answer: echo),
        Behaviour("upload expected", .content, shape: .expecting) { request, peer in
            if request.field("expect") != nil { try await peer.write("HTTP/1.1 100 Continue\r\n\r\n") }
            return try await echo(request, peer)
        },
        Behaviour("expectation refused", .content, shape: .expecting) { request, peer in
            guard request.field("expect") != nil else { return try await echo(request, peer) }
            try await peer.write("HTTP/1.1 417 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return false
        },
        Behaviour("answered early", .content, shape: .upload) { request, peer in
            // A success before the body arrives, which the server still reads to its end.
            try await peer.write(length(request) + "\r\n", request.content)
            _ = try await peer.readBody(request)
            return true
        },
        Behaviour("refused early", .either, shape: .upload) { request, peer in
            let head = "HTTP/1.1 413 No\r\nContent-Length: \(request.size)\r\nConnection: close\r\n\r\n"
            try await peer.write(head, request.content)
            try await peer.connection.closeWrite()
            try await peer.connection.discardToEnd()
            return false
        },
        Behaviour("refused and closed", .either, shape: .upload) { request, peer in
            let head = "HTTP/1.1 413 No\r\nContent-Length: \(request.size)\r\nConnection: close\r\n\r\n"
            try await peer.write(head, request.content)
            return false
        },
        Behaviour("upload reset", .failure, shape: .upload) { _, peer in
            _ = try await peer.connection.read(upTo: 100)
            peer.reset()
            return false
        },
        Behaviour("upload cut", .failure, shape: .stream) { _, peer in
            peer.cut()
            return false
        },
        Behaviour("upload not read", .failure, shape: .upload, deadline: .milliseconds(100)) { _, peer in
            try await Task.sleep(for: .milliseconds(200))
            return false
        },
        Behaviour("download", .content, shape: .download, weight: 2) { request, peer in
            try await sendPart(request, peer, upTo: .max)
        },
        Behaviour("download cut", .content, shape: .download, weight: 2) { request, peer in
            // A third of the resumed answers are cut again, and each request continues from the cut.
            let whole = request.field("range") != nil && request.chance(below: 3, UInt64(request.step)) > 0
            // At least one byte, because a download without progress in several attempts rightly fails.
            return try await sendPart(request, peer, upTo: whole ? .max : max(1, request.size / 3))
        },
    ]

    private static let echo: Behaviour.Answer = { request, peer in
        let digest = try await peer.readBody(request)
        try await peer.write(length(request) + "X-Digest: \(digest)\r\n\r\n", request.content)
        return true
    }

    /// Sends a file with a strong validator, from the beginning of the requested range.
    private static func sendPart(_ request: SoakRequest, _ peer: ChaosPeer, upTo limit: Int) async throws -> Bool {
        let content = request.content
        let tag = "\"\(String(request.nonce, radix: 16))\""
        var from = 0
        if request.field("if-range") == tag, let range = request.field("range"), range.hasPrefix("bytes=") {
            from = Int(range.dropFirst(6).prefix { $0.isNumber }) ?? 0
        }
        let rest = content.slice(min(from, content.count)..<content.count)
        var head = from > 0 ? "HTTP/1.1 206 Partial\r\n" : ok
        if from > 0 { head += "Content-Range: bytes \(from)-\(content.count - 1)/\(content.count)\r\n" }
        head += "ETag: \(tag)\r\nContent-Length: \(rest.count)\r\n\r\n"
        try await peer.write(head, rest.slice(0..<min(rest.count, limit)))
        if limit < rest.count { peer.cut() }
        return limit >= rest.count
    }
}
