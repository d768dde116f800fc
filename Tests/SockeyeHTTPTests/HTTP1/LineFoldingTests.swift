import HTTPTypes
import SockeyeHTTP
import Testing

/// Obsolete line folding (RFC 9112 5.2).
@Suite("Folded header fields") struct LineFoldingTests {
    @Test(
        "a folded field has one space in place of each fold and the blanks around it",
        arguments: [
            ("A: b\r\n c", "b c"), ("A: b \t\r\n\t  c: d", "b c: d"), ("A:\r\n b", "b"), ("A: b\r\n ", "b"),
            ("A: b\r\n \r\n\t\r\n c", "b c"), ("A: b\r\n c\r\n d\r\n e", "b c d e"), ("A: \r\n \r\n ", ""),
            ("A: b\r\n Content-Length: 9", "b Content-Length: 9"), ("A: b\r\n : c", "b : c"),
        ])
    func values(lines: String, value: String) throws {
        let text = "HTTP/1.1 200 OK\r\nX: y\r\n\(lines)\r\nZ: z\r\n\r\nbody"
        let head = try #require(try parseHead(text))
        #expect(head.summary.byteCount == text.utf8.count - 4, "the folded lines count as well")
        #expect(head.makeFields().map { "\($0.name): \($0.value)" } == ["X: y", "A: \(value)", "Z: z"])
        #expect(head.firstValue("a") == value && head.firstValue("z") == "z")
        #expect(head.rawValues(of: "A").map { String(decoding: $0, as: UTF8.self) } == [value])
        #expect(head.summary.fieldCount == 3)
        #expect(head.summary.contentLength == nil)
        let lenient = try parseHead(text.replacing("\r\n", with: "\n"), allowsBareLF: true)
        #expect(lenient?.firstValue("A") == value)
    }

    @Test("the whole value of a folded Connection field counts, not only its first line")
    func connection() throws {
        #expect(try head("Connection:", " close").connection == .close)
        #expect(try head("Connection: x,", "\tkeep-alive ,", " close").connection == [.keepAlive, .close])
        #expect(try head("Connection: close", " d").connection == [])
        #expect(try head("Keep-Alive: max=2,", " timeout=7").keepAliveTimeout == 7)
        let summary = try head("Set-Cookie:", " a=b", "Content-Encoding:", " gzip", "Content-Length: 5")
        #expect(summary.setsCookies && summary.hasContentEncoding && summary.contentLength == 5)
    }

    @Test(
        "a folded framing field is refused, because other parsers may read only its first line",
        arguments: [
            "Content-Length: 5\r\n 6", "Content-Length: 5\r\n ", "content-length:\r\n 5",
            "Content-Length: 5\r\n\t\r\n ",
            "Transfer-Encoding: chunked\r\n ", "Transfer-Encoding:\r\n chunked", "Transfer-Encoding: gzip,\r\n chunked",
            "A: b\r\n c\r\nTRANSFER-ENCODING: chunked\r\n , x",
        ])
    func framing(lines: String) {
        #expect(throws: PeerFault.self) { try parseHead("HTTP/1.1 200 OK\r\n\(lines)\r\n\r\n") }
    }

    @Test(
        "the parser refuses a fold directly after the status line, and forbidden characters in a folded field",
        arguments: [
            (" A: b", PeerFault.obsFold), ("\tA: b", .obsFold), (" ", .obsFold), ("A: b\r\n \u{0}", .nulInHead),
            ("A: b\r\n c\rd", .bareCR), ("A: b\r\n c\n", .bareLF), ("A\r\n : b", .badFieldName("A")),
        ])
    func faults(lines: String, fault: PeerFault) {
        #expect(throws: fault) { try parseHead("HTTP/1.1 200 OK\r\n\(lines)\r\n\r\n") }
    }

    @Test("control characters of a folded field are read as blanks, like those of other fields")
    func controls() throws {
        #expect(try parseHead("HTTP/1.1 200 OK\r\nA: b\r\n c\u{1B}d\r\n\r\n")?.firstValue("A") == "b c d")
    }

    @Test("all lines of a folded field count against the limits")
    func limits() throws {
        var limits = HTTP1Limits()
        limits.headBytes = 200
        limits.fieldCount = 1
        let folded = "HTTP/1.1 200 OK\r\nA: b\r\n" + String(repeating: " \r\n", count: 40)
        #expect(try parseHead(folded + "\r\n", limits: limits)?.firstValue("A") == "b")
        #expect(throws: PeerFault.headTooLarge(limit: 200)) {
            try parseHead(folded + String(repeating: " \r\n", count: 30) + "\r\n", limits: limits)
        }
        #expect(throws: PeerFault.tooManyFields(limit: 1)) { try parseHead(folded + "C: d\r\n\r\n", limits: limits) }
        var machine = ExchangeMachine(ExchangeFacts(method: .get, limits: limits))
        let interim = try #require(try parseHead(folded.replacing("200", with: "103") + "\r\n")).summary
        #expect(interim.byteCount == folded.utf8.count + 2)
        #expect(try machine.receivedHead(interim) == .interim(status: 103))
    }

    @Test("the work for a folded field is linear in the number of its folds")
    func work() throws {
        let lines = String(repeating: " \r\n", count: 20_000)
        let text = "HTTP/1.1 200 OK\r\nA: b\r\n\(lines)\r\n"
        // Quadratic work would take about 10^9 byte visits and not finish in time.
        for _ in 0..<5 { #expect(try parseHead(text)?.firstValue("A") == "b") }
    }
}
