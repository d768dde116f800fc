import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import Testing

/// Parses text as one head, in one call.
func parseHead(
    _ text: String,
    limits: HTTP1Limits = HTTP1Limits(),
    allowsBareLF: Bool = false
) throws(PeerFault) -> ResponseHead? {
    try parseHead(Array(text.utf8), limits: limits, allowsBareLF: allowsBareLF)
}

func parseHead(
    _ bytes: [UInt8],
    limits: HTTP1Limits = HTTP1Limits(),
    allowsBareLF: Bool = false
) throws(PeerFault) -> ResponseHead? {
    var parser = ResponseHeadParser(limits: limits, allowsBareLF: allowsBareLF)
    guard let summary = try parser.parse(bytes.span) else { return nil }
    return ResponseHead(bytes: Bytes(bytes[..<summary.byteCount]), summary: summary)
}

/// Returns the summary of a 200 head with these field lines.
func head(_ lines: String...) throws(PeerFault) -> ResponseHeadSummary {
    let text = "HTTP/1.1 200 OK\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
    guard let head = try parseHead(text) else { throw .truncatedHead(received: text.utf8.count) }
    return head.summary
}

@Suite struct ResponseHeadParserTests {
    @Test("the parser splits a head and stops where the body begins")
    func wellFormed() throws {
        let text = "HTTP/1.1 404 Not Found\r\nServer: a\r\nX:\r\nY:  b c \t\r\n\r\nbody"
        let head = try #require(try parseHead(text))
        #expect(head.status == 404)
        #expect(head.version == "HTTP/1.1")
        #expect(head.reason == "Not Found")
        #expect(head.summary.byteCount == text.utf8.count - 4)
        #expect(head.summary.fieldCount == 3)
        #expect(head.makeFields().map { "\($0.name): \($0.value)" } == ["Server: a", "X: ", "Y: b c"])
    }

    /// RFC 9112 4.
    @Test(
        "the parser accepts the status lines that servers send",
        arguments: [
            ("HTTP/1.1 200 OK", 200, "OK"), ("HTTP/1.0 200 OK", 200, "OK"), ("HTTP/1.9 200 OK", 200, "OK"),
            ("HTTP/1.1 200 ", 200, ""), ("HTTP/1.1 200", 200, ""), ("HTTP/1.1 200  OK", 200, " OK"),
            ("HTTP/1.1 999 \u{E9}t\u{E9}", 999, "\u{E9}t\u{E9}"), ("HTTP/1.1 100 a\tb:", 100, "a\tb:"),
        ])
    func statusLines(line: String, status: Int, reason: String) throws {
        let head = try #require(try parseHead(line + "\r\n\r\n"))
        #expect(head.status == status)
        #expect(head.reason == reason)
    }

    /// RFC 9112 2.2, 4 and 5.1.
    @Test(
        "the parser refuses anything but a status line of HTTP/1.x",
        arguments: [
            ("ICE/1.1 200 OK", PeerFault.badStatusLine), ("HTTP/A.B 200 OK", .badStatusLine),
            ("http/1.1 200 OK", .badStatusLine), ("HTTP/01.1 200 OK", .unsupportedVersion),
            ("HTTPER/1.1 200", .badStatusLine),
            ("HTTP/1. 200 OK", .badStatusLine), ("HTTP/1.10 200 OK", .badStatusLine),
            ("HTTP/1.x 200 OK", .badStatusLine),
            ("HTTP/2.0 200 OK", .unsupportedVersion), ("HTTP/0.9 200 OK", .unsupportedVersion),
            ("HTTP/2 200 OK", .unsupportedVersion), ("HTTP/1.1  200 OK", .badStatusLine),
            ("HTTP/1.1\t200 OK", .badStatusLine), ("HTTP/1.1 20 OK", .badStatusLine),
            ("HTTP/1.1 2000 OK", .badStatusLine),
            ("HTTP/1.1 +20 OK", .badStatusLine), ("HTTP/1.1 -20 OK", .badStatusLine),
            ("HTTP/1.1 0xA OK", .badStatusLine),
            ("HTTP/1.1 200OK", .badStatusLine), ("HTTP/1.1 200\tOK", .badStatusLine), ("HTTP/1.1", .badStatusLine),
            ("HTTP/1.1 ", .badStatusLine), ("HTTP/1.1 001 OK", .badStatusCode(1)),
            ("HTTP/1.1 099 OK", .badStatusCode(99)),
            ("HTTP/1.1 000 OK", .badStatusCode(0)), ("HTTP/1.1 200 a\u{0}b", .nulInHead),
            ("HTTP/1.1 200 a\rb", .bareCR),
            ("HTTP/1.1 200 a\u{1B}b", .badStatusLine), ("HTTP/1.1 200 OK\r", .bareCR),
            (" HTTP/1.1 200 OK", .badStatusLine),
            ("\rHTTP/1.1 200 OK", .bareCR), ("<html>", .badStatusLine), ("SSH-2.0-OpenSSH", .badStatusLine),
        ])
    func badStatusLines(line: String, fault: PeerFault) {
        #expect(throws: fault) { try parseHead(line + "\r\n\r\n") }
    }

    /// RFC 9112 5.1, RFC 9110 5.5.
    @Test(
        "the parser refuses a malformed field line",
        arguments: [
            ("Name", PeerFault.badFieldName("Name")), (": value", .badFieldName("")),
            ("Na me: v", .badFieldName("Na me")), ("N\u{E4}me: v", .badFieldName("N??me")),
            ("Na(me: v", .badFieldName("Na(me")), ("Name : v", .whitespaceBeforeColon),
            ("Name\t: v", .whitespaceBeforeColon), (" Name: v", .obsFold), ("\tName: v", .obsFold),
            ("A: b\u{0}c", .nulInHead),
            ("A\u{0}: b", .nulInHead),
            ("A: b\rc", .bareCR), ("A\r: b", .bareCR), ("A: b\r", .bareCR), ("A:\r b", .bareCR), ("\rA: b", .bareCR),
            ("A: b\nC: d", .bareLF), ("A: b\n", .bareLF),
        ])
    func badFieldLines(line: String, fault: PeerFault) {
        #expect(throws: fault) { try parseHead("HTTP/1.1 200 OK\r\n" + line + "\r\n\r\n") }
    }

    @Test("the parser skips one empty line before the head and no more")
    func leadingEmptyLine() throws {
        let head = try #require(try parseHead("\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\nx"))
        #expect(head.status == 200)
        #expect(head.summary.byteCount == 27)
        #expect(head.firstValue("a") == "b")
        #expect(throws: PeerFault.badStatusLine) { try parseHead("\r\n\r\nHTTP/1.1 200 OK\r\n\r\n") }
    }

    @Test("the parser accepts bare line feeds if allowed, but never a bare CR")
    func bareLineFeeds() throws {
        let head = try #require(try parseHead("\nHTTP/1.1 200 OK\nA: b\r\nC: d\n\nx", allowsBareLF: true))
        #expect(head.makeFields().map { "\($0.name): \($0.value)" } == ["A: b", "C: d"])
        #expect(head.summary.hasBareLF)
        // The parser removes this line feed, which precedes a fold, before it parses the head again.
        let folded = try #require(try parseHead("HTTP/1.1 200 OK\r\nA: b\n c\r\nD: e\r\n\r\n", allowsBareLF: true))
        #expect(folded.summary.hasBareLF)
        #expect(throws: PeerFault.bareCR) { try parseHead("HTTP/1.1 200 OK\nA: b\rC: d\n\n", allowsBareLF: true) }
        #expect(throws: PeerFault.bareCR) { try parseHead("HTTP/1.1 200 OK\nA: b\r\r\n\n", allowsBareLF: true) }
    }

    @Test(
        "the parser fails at the first byte that cannot begin HTTP/1.x",
        arguments: [
            ("I", PeerFault.badStatusLine), ("\u{16}", .badStatusLine), ("HTTP/2", .unsupportedVersion),
            ("HTTP/1,", .badStatusLine), ("\rH", .bareCR), ("\n", .bareLF), ("\r\nX", .badStatusLine),
        ])
    func failsEarly(text: String, fault: PeerFault) throws {
        #expect(try parseHead(String(text.dropLast())) == nil)
        #expect(throws: fault) { try parseHead(text) }
    }

    /// RFC 9110 5.4.
    @Test("the parser keeps exactly to its limits")
    func limits() throws {
        let text = "HTTP/1.1 200 OK\r\nA: b\r\nC: d\r\n\r\n"
        var limits = HTTP1Limits()
        limits.headBytes = text.utf8.count
        limits.fieldCount = 2
        #expect(try parseHead(text, limits: limits) != nil)
        #expect(try parseHead(text + "a body, which does not count", limits: limits) != nil)
        limits.fieldCount = 1
        #expect(throws: PeerFault.tooManyFields(limit: 1)) { try parseHead(text, limits: limits) }
        limits = HTTP1Limits()
        limits.headBytes = text.utf8.count - 1
        #expect(throws: PeerFault.headTooLarge(limit: 30)) { try parseHead(text, limits: limits) }
        let endless = "HTTP/1.1 200 OK\r\nA: " + String(repeating: "a", count: 70_000)
        #expect(throws: PeerFault.headTooLarge(limit: 65_536)) { try parseHead(endless) }
    }

    /// RFC 9112 8.
    @Test("the parser distinguishes an end before a head from an end inside it")
    func endOfStream() throws {
        var parser = ResponseHeadParser()
        #expect(parser.atEndOfStream() == .closedBeforeResponse)
        #expect(try parser.parse(Array("HTTP/1.1 20".utf8).span) == nil)
        #expect(parser.atEndOfStream() == .truncatedHead(received: 11))
    }

    @Test("the parser needs linear work for a head that arrives byte by byte")
    func tricklingHead() throws {
        let fields = (0..<150).map { "Field-\($0): " + String(repeating: "v", count: 400) + "\r\n" }.joined()
        let bytes = Array(("HTTP/1.1 200 OK\r\n" + fields + "\r\n").utf8)
        var parser = ResponseHeadParser()
        var summary: ResponseHeadSummary?
        // Quadratic work would take about 2 * 10^9 byte visits and not finish in time.
        for end in 1...bytes.count {
            summary = try parser.parse(bytes.span.extracting(first: end))
        }
        #expect(summary?.fieldCount == 150)
    }

    /// The parser reads the lines of a complete head eight bytes at a time, but those of a partial head byte by byte.
    @Test(
        "a head with an arbitrary byte at any position has the same result whole and byte by byte",
        arguments: ["name-of-field", "value of it"])
    func everyByteEverywhere(part: String) throws {
        for position in 0..<part.utf8.count {
            for byte in UInt8.min...UInt8.max {
                var odd = Array(part.utf8)
                odd[position] = byte
                let (name, value) =
                    part.hasPrefix("name") ? (odd, Array("v".utf8)) : (Array("Connection".utf8), odd)
                let text = Array("HTTP/1.1 200 OK\r\n".utf8) + name + Array(": ".utf8) + value
                let bytes = text + Array("\r\nContent-Length: 16\r\n\r\n0123456789abcdef".utf8)
                let whole = Result { () throws(PeerFault) in try Self.parse(bytes, step: bytes.count) }
                let pieces = Result { () throws(PeerFault) in try Self.parse(bytes, step: 1) }
                #expect(whole == pieces, "byte \(byte) at \(position)")
            }
        }
    }

    private static func parse(_ bytes: [UInt8], step: Int) throws(PeerFault) -> ResponseHeadSummary? {
        var parser = ResponseHeadParser()
        var end = 0
        while end < bytes.count {
            end += step
            if let summary = try parser.parse(bytes.span.extracting(first: end)) { return summary }
        }
        return nil
    }
}
