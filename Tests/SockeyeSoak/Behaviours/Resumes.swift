import SockeyeCore
import Synchronization

extension Behaviours {
    /// Downloads that are cut and whose second answer does not fit the first. The file is either correct or absent.
    static let resumes: [Behaviour] = [
        lying("the rest as a 200") { rest in
            ok + "\(rest.range)ETag: \(rest.tag)\r\n\(rest.length)\r\n"
        },
        lying("the rest as a 200 without a validator") { rest in ok + "\(rest.length)\r\n" },
        lying("the rest as a 203") { rest in "HTTP/1.1 203 Odd\r\n\(rest.range)ETag: \(rest.tag)\r\n\(rest.length)\r\n"
        },
        lying("a part of another version") { rest in
            "HTTP/1.1 206 Partial\r\n\(rest.range)ETag: \"other\"\r\n\(rest.length)\r\n"
        },
        lying("a part of another total") { rest in
            "HTTP/1.1 206 Partial\r\n\(rest.range(total: rest.total + 1))ETag: \(rest.tag)\r\n\(rest.length)\r\n"
        },
        lying("a part at another position") { rest in
            "HTTP/1.1 206 Partial\r\n\(rest.range(start: rest.start + 1))ETag: \(rest.tag)\r\n\(rest.length)\r\n"
        },
        lying("a part without a position") { rest in
            "HTTP/1.1 206 Partial\r\nETag: \(rest.tag)\r\n\(rest.length)\r\n"
        },
        lying("a part of an extreme total") { rest in
            "HTTP/1.1 206 Partial\r\n\(rest.range(total: .max))ETag: \(rest.tag)\r\n\(rest.length)\r\n"
        },
        lying("a complaint with a wrong total") { rest in
            "HTTP/1.1 416 No\r\nContent-Range: bytes */\(rest.start)\r\nContent-Length: 0\r\n\r\n"
        },
    ]

    /// The part of the content that a second answer concerns.
    private struct Rest {
        let start: Int
        let total: Int
        let tag: String

        var length: String { "Content-Length: \(total - start)\r\n" }
        var range: String { range() }

        func range(start: Int? = nil, total: Int? = nil) -> String {
            let (start, total) = (start ?? self.start, total ?? self.total)
            return "Content-Range: bytes \(start)-\(total - 1)/\(total)\r\n"
        }
    }

    /// The number of requests for each download, by the low 12 bits of its nonce. Every fourth request gets the
    /// complete content, so that each download ends.
    private static let visits = Mutex([UInt8](repeating: 0, count: 1 << 12))

    private static func lying(_ name: String, _ head: @escaping @Sendable (Rest) -> String) -> Behaviour {
        Behaviour(name, .either, shape: .download) { request, peer in
            let content = request.content
            let tag = "\"\(String(request.nonce, radix: 16))\""
            let visit = visits.withLock { visits in
                visits[Int(request.nonce & 0xFFF)] &+= 1
                return visits[Int(request.nonce & 0xFFF)]
            }
            let range = request.field("range")?.dropFirst("bytes=".count).prefix { $0.isNumber }
            if let start = range.flatMap({ Int($0) }), start < content.count, visit % 4 != 0 {
                let head = head(Rest(start: start, total: content.count, tag: tag))
                let hasNone = head.hasPrefix("HTTP/1.1 416")
                try await peer.write(head, hasNone ? Bytes() : content.slice(start..<content.count))
                return true
            }
            let isCut = visit % 4 != 0
            let sent = isCut ? content.slice(0..<max(1, content.count / 2)) : content
            try await peer.write(ok + "ETag: \(tag)\r\nContent-Length: \(content.count)\r\n\r\n", sent)
            if isCut { peer.cut() }
            return !isCut
        }
    }
}
