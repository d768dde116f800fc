import SockeyeHTTP
import Testing

/// The rules of RFC 9112 6.3, in its order.
@Suite struct BodyFramingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let method: MethodKind
        let status: String
        let fields: String
        let framing: BodyFraming

        init(_ method: MethodKind, _ status: String, _ fields: String, _ framing: BodyFraming) {
            self.method = method
            self.status = status
            self.fields = fields
            self.framing = framing
        }

        var testDescription: String { "\(method) \(status) \(fields)" }

        func summary() throws -> ResponseHeadSummary {
            let lines = fields.isEmpty ? "" : fields.split(separator: "|").map { $0 + "\r\n" }.joined()
            return try #require(try parseHead("HTTP/1.\(status)\r\n\(lines)\r\n")).summary
        }
    }

    /// RFC 9112 6.3.
    @Test(
        "method, status and fields decide the framing of a body",
        arguments: [
            Row(.head, "1 200", "Content-Length: 5", .none), Row(.head, "1 200", "Transfer-Encoding: chunked", .none),
            Row(.head, "0 200", "Transfer-Encoding: chunked", .none), Row(.get, "1 204", "Content-Length: 5", .none),
            Row(.get, "1 304", "Content-Length: 5", .none), Row(.get, "1 304", "Transfer-Encoding: chunked", .none),
            Row(.get, "1 102", "Content-Length: 5", .none), Row(.connect, "1 200", "Content-Length: 5", .tunnel),
            Row(.connect, "1 299", "Transfer-Encoding: chunked", .tunnel), Row(.connect, "1 204", "", .tunnel),
            Row(.connect, "1 407", "Content-Length: 5", .length(5)), Row(.connect, "1 302", "", .untilClose),
            Row(.get, "1 200", "Transfer-Encoding: chunked", .chunked),
            Row(.get, "1 200", "Transfer-Encoding: chunked|Content-Length: 5", .chunked),
            Row(.get, "1 200", "Transfer-Encoding: gzip|Content-Length: 5", .untilClose),
            Row(.get, "1 200", "Content-Length: 5", .length(5)), Row(.post, "1 200", "Content-Length: 0", .length(0)),
            Row(.get, "0 200", "Content-Length: 5", .length(5)), Row(.get, "1 200", "", .untilClose),
            Row(.get, "1 205", "", .untilClose), Row(.get, "1 500", "Connection: keep-alive", .untilClose),
        ])
    func determine(row: Row) throws {
        #expect(try BodyFraming.determine(row.summary(), for: row.method) == row.framing)
    }

    /// RFC 9112 6.1.
    @Test("Transfer-Encoding in an HTTP/1.0 response that can have a body is refused")
    func oldVersion() throws {
        let summary = try Row(.get, "0 200", "Transfer-Encoding: chunked", .none).summary()
        #expect(throws: PeerFault.transferEncodingInHTTP10) { try BodyFraming.determine(summary, for: .get) }
    }

    @Test("the framing reports competing fields and an empty body")
    func properties() throws {
        #expect(BodyFraming.isAmbiguous(try head("Transfer-Encoding: chunked", "Content-Length: 5")))
        #expect(!BodyFraming.isAmbiguous(try head("Content-Length: 5")))
        #expect(BodyFraming.length(0).isEmpty && BodyFraming.none.isEmpty && !BodyFraming.chunked.isEmpty)
        #expect(BodyFraming.length(7).length == 7 && BodyFraming.untilClose.length == nil)
    }
}
