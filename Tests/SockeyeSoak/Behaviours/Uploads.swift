import SockeyeCore
import SockeyeTesting

extension Behaviours {
    /// Answers to request bodies, and downloads.
    static let uploads: [Behaviour] = [
        Behaviour("upload", .content, shape: .upload, weight: 4, answer: echo),
        Behaviour("upload stream", .content, shape: .stream, weight: 3, answer: echo),
        Behaviour("upload expected", .content, shape: .expecting) { asked, peer in
            if asked.field("expect") != nil { try await peer.write("HTTP/1.1 100 Continue\r\n\r\n") }
            return try await echo(asked, peer)
        },
        Behaviour("expectation refused", .content, shape: .expecting) { asked, peer in
            guard asked.field("expect") != nil else { return try await echo(asked, peer) }
            try await peer.write("HTTP/1.1 417 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return false
        },
        Behaviour("answered early", .content, shape: .upload) { asked, peer in
            // A success before the body arrives, which the server still reads to its end.
            try await peer.write(length(asked) + "\r\n", asked.content)
            _ = try await peer.readBody(asked)
            return true
        },
        Behaviour("refused early", .either, shape: .upload) { asked, peer in
            let head = "HTTP/1.1 413 No\r\nContent-Length: \(asked.size)\r\nConnection: close\r\n\r\n"
            try await peer.write(head, asked.content)
            try await peer.connection.closeWrite()
            try await peer.connection.discardToEnd()
            return false
        },
        Behaviour("refused and closed", .either, shape: .upload) { asked, peer in
            let head = "HTTP/1.1 413 No\r\nContent-Length: \(asked.size)\r\nConnection: close\r\n\r\n"
            try await peer.write(head, asked.content)
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
        Behaviour("download", .content, shape: .download, weight: 2) { asked, peer in
            try await sendPart(asked, peer, upTo: .max)
        },
        Behaviour("download cut", .content, shape: .download, weight: 2) { asked, peer in
            // A third of the resumed answers are cut again, and each request continues from the cut.
            let whole = asked.field("range") != nil && asked.chance(below: 3, UInt64(asked.step)) > 0
            // At least one byte, because a download without progress in several attempts rightly fails.
            return try await sendPart(asked, peer, upTo: whole ? .max : max(1, asked.size / 3))
        },
    ]

    private static let echo: Behaviour.Answer = { asked, peer in
        let digest = try await peer.readBody(asked)
        try await peer.write(length(asked) + "X-Digest: \(digest)\r\n\r\n", asked.content)
        return true
    }

    /// Sends a file with a strong validator, from the beginning of the requested range.
    private static func sendPart(_ asked: Asked, _ peer: ChaosPeer, upTo limit: Int) async throws -> Bool {
        let content = asked.content
        let tag = "\"\(String(asked.nonce, radix: 16))\""
        var from = 0
        if asked.field("if-range") == tag, let range = asked.field("range"), range.hasPrefix("bytes=") {
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
