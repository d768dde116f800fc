import SockeyeCore
import SockeyeHTTP

/// Heads of responses that several steps read.
enum SampleHead {
    /// How many fields: few, what a common server sends, many.
    static let sizes = [4, 8, 40]

    /// A head with fields that servers really send, as many of them as asked for.
    static func bytes(fields count: Int) -> [UInt8] {
        let fields = (0..<count).map { "\(name(ofField: $0)): \(value(ofField: $0))" }
        return Array("HTTP/1.1 200 OK\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n".utf8)
    }

    /// The same, parsed.
    static func parsed(fields count: Int) -> ResponseHead {
        let bytes = bytes(fields: count)
        return ResponseHead(bytes: Bytes(bytes), summary: summary(of: bytes))
    }

    /// What the parser makes of a head that is complete and correct.
    static func summary(of bytes: [UInt8]) -> ResponseHeadSummary {
        var parser = ResponseHeadParser()
        guard let summary = try? parser.parse(bytes.span) else { fatalError("a sample that is no head") }
        return summary
    }

    /// The name of a field by its place, from 0.
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
