import SockeyeCore
import SockeyeHTTP

/// Heads of responses that several steps read.
enum SampleHead {
    /// The numbers of fields: few, as many as from a common server, and many.
    static let sizes = [4, 8, 40]

    /// Returns a head with a number of fields that servers really send.
    static func bytes(fields count: Int) -> [UInt8] {
        let fields = (0..<count).map { "\(name(ofField: $0)): \(value(ofField: $0))" }
        return Array("HTTP/1.1 200 OK\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n".utf8)
    }

    /// Returns such a head, parsed.
    static func parsed(fields count: Int) -> ResponseHead {
        let bytes = bytes(fields: count)
        return ResponseHead(bytes: Bytes(bytes), summary: summary(of: bytes))
    }

    /// Returns the parser's summary of a complete and correct head.
    static func summary(of bytes: [UInt8]) -> ResponseHeadSummary {
        var parser = ResponseHeadParser()
        guard let summary = try? parser.parse(bytes.span) else { fatalError("a sample that is no head") }
        return summary
    }

    /// Returns the name of a field by its place, from 0.
    static func name(ofField index: Int) -> String {
        index < common.count ? common[index].name : "X-Field-\(index)"
    }

    private static func value(ofField index: Int) -> String {
        index < common.count ? common[index].value : "value of field number \(index)"
    }

    private static let common: [(name: String, value: String)] = [
        ("Server", "nginx/1.22.1"), ("Date", "Sat, 01 Mar 2025 12:00:00 GMT"),
        ("Content-Type", "application/json; charset=utf-8"), ("Content-Length", "1270"),
        ("Connection", "keep-alive"), ("ETag", "\"65e1a2b3-4f6\""),
        ("Cache-Control", "max-age=600, must-revalidate"), ("Vary", "Accept-Encoding"),
    ]
}
