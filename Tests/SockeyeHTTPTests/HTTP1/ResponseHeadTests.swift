import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import Testing

@Suite struct ResponseHeadTests {
    @Test("the head finds field values by name in any letter case")
    func lookup() throws {
        let text = "HTTP/1.1 200 OK\r\nSet-Cookie: a\r\nset-cookie:b\r\nEmpty:\r\nSet-Cookie2: c\r\n\r\n"
        let head = try #require(try parseHead(text))
        #expect(head.firstValue(.setCookie) == "a")
        #expect(head.values(of: "SET-COOKIE") == ["a", "b"])
        #expect(head.firstValue("Empty") == "")
        #expect(head.firstValue("Absent") == nil)
        #expect(head.firstValue("") == nil)
        #expect(head.values(of: "Absent").isEmpty)
    }

    @Test("the fields keep order, duplicates, case and characters beyond ASCII")
    func fields() throws {
        let bytes = Array("HTTP/1.1 200 OK\r\nB: 1\r\na: x\r\nb: \u{E9}\r\n\r\n".utf8)
        let fields = try #require(try parseHead(bytes)).makeFields()
        #expect(fields.map(\.name.description) == ["B", "a", "b"])
        #expect(fields[values: "b"] == ["1", "\u{E9}"])
    }

    @Test(
        "a value is read as UTF-8 if valid, else as ISO-8859-1, and `rawValues` returns its bytes",
        arguments: [
            ([0x66, 0xFC, 0x72], "für"), ([0xC3, 0xA9], "é"), ([0xE9], "é"), ([0xC3, 0xA9, 0xE9], "Ã©é"),
            ([0xF0, 0x9F, 0x98], "ð\u{9F}\u{98}"), ([0xED, 0xA0, 0x80], "í\u{A0}\u{80}"), ([0xFF], "ÿ"),
            (Array(repeating: 0x61, count: 40) + [0xA7], String(repeating: "a", count: 40) + "§"),
        ] as [([UInt8], String)])
    func encodings(value: [UInt8], text: String) throws {
        for control in [[], [0x1B]] as [[UInt8]] {
            let raw = [0x78] + control + value
            let bytes = Array("HTTP/1.1 200 OK\r\nA: ".utf8) + raw + Array("\r\nB: c\r\n\r\n".utf8)
            let head = try #require(try parseHead(bytes))
            let wanted = (control.isEmpty ? "x" : "x ") + text
            #expect(head.firstValue("a") == wanted)
            #expect(head.values(of: "a") == [wanted])
            #expect(head.makeFields()["a"] == wanted)
            #expect(head.rawValues(of: "a").map { Array($0) } == [raw])
            #expect(head.firstValue("b") == "c")
        }
    }

    @Test("`firstValue` and `makeFields` return blanks in place of control bytes")
    func controls() throws {
        let head = try #require(try parseHead("HTTP/1.1 200 OK\r\nA: x\u{1B}[1m\u{7F}y\tz\r\n\r\n"))
        #expect(head.firstValue("a") == "x [1m y\tz")
        #expect(head.makeFields().first?.value == "x [1m y\tz")
    }

    @Test("a head with 70,000 fields does not trap")
    func manyFields() throws {
        var limits = HTTP1Limits()
        limits.fieldCount = .max
        limits.headBytes = .max
        let text = "HTTP/1.1 200 OK\r\n" + String(repeating: "a:b\r\n", count: 70_000) + "\r\n"
        let head = try #require(try parseHead(text, limits: limits))
        #expect(head.summary.fieldCount == 70_000)
        #expect(head.makeFields().count == 70_000)
        #expect(HTTPFields(head.makeFields()).count == 65_534)
    }

    @Test("a reason phrase that is not UTF-8 is read as ISO-8859-1")
    func reason() throws {
        let head = try #require(try parseHead(Array("HTTP/1.1 200 X".utf8) + [0xFF, 0x5A] + Array("\r\n\r\n".utf8)))
        #expect(head.reason == "X\u{FF}Z")
    }

    @Test("the fault of a malformed field name quotes its start, with only printable characters")
    func fieldNames() {
        let fault = #expect(throws: PeerFault.self) {
            try parseHead("HTTP/1.1 200 OK\r\nX\u{1B}[31m name: s3cret\r\n\r\n")
        }
        #expect(fault?.description.hasSuffix("it begins with \"X?[31m name\"") == true)
        let long = #expect(throws: PeerFault.self) {
            try parseHead("HTTP/1.1 200 OK\r\n" + String(repeating: "a", count: 60) + "\r\n\r\n")
        }
        #expect(long?.description.hasSuffix(" \"" + String(repeating: "a", count: 40) + "…\"") == true)
    }

    /// As many bytes as an excerpt shows.
    private static let longest = String(repeating: "a", count: 40)

    @Test(
        "the excerpt of a malformed field name ends before a colon or an equals sign",
        arguments: [
            ("Cookie: sid=s3cr3t", "\"Cookie…\""), ("Authorization: Basic x", "\"Authorization…\""),
            ("sid=s3cr3t; Path=/", "\"sid…\""), ("/a?token=s3cr3t&page=1", "\"/a?token…\""), ("=s3cr3t", "\"…\""),
            ("A:", "\"A…\""), ("a b", "\"a b\""), ("", "\"\""), ("X\u{1B}[31m\u{E4}", "\"X?[31m??\""),
            (longest, "\"\(longest)\""), ("\(longest)b", "\"\(longest)…\""), ("\(longest): b", "\"\(longest)…\""),
        ] as [(String, String)])
    func excerpts(name: String, excerpt: String) {
        #expect(FieldNameExcerpt(name.utf8).description == excerpt)
    }

    @Test("the description of a fault shows no value after a malformed field name")
    func values() {
        let fault = #expect(throws: PeerFault.self) { try parseHead("HTTP/1.1 200 OK\r\nsid=s3cr3t; Path=/\r\n\r\n") }
        #expect(fault?.description.hasSuffix("it begins with \"sid…\"") == true)
        #expect(RequestFault.invalidFieldName("Cookie: sid=s3cr3t").description.contains("s3cr3t") == false)
    }

    @Test(
        "the description of every fault is a sentence",
        arguments: [
            PeerFault.closedBeforeResponse, .truncatedHead(received: 3), .truncatedBody(received: 1, expected: 2),
            .truncatedBody(received: 1, expected: nil), .badStatusLine, .unsupportedVersion, .badStatusCode(1),
            .badFieldName("a b"),
            .whitespaceBeforeColon, .obsFold, .bareCR, .bareLF, .nulInHead, .headTooLarge(limit: 9),
            .tooManyFields(limit: 9),
            .interimTooLarge(limit: 9), .badContentLength, .conflictingContentLength, .badTransferEncoding,
            .transferEncodingInHTTP10, .badChunkSize, .chunkLineTooLong(limit: 9), .chunkExtensionTooLarge(limit: 9),
            .badChunkExtension, .missingCRLFAfterChunk, .trailersTooLarge(limit: 9), .tooManyTrailers(limit: 9),
            .unexpectedUpgrade, .upgradeWithoutConnection, .upgradeWithoutProtocol, .upgradeToOtherProtocol,
            .surplusBytes(9),
        ])
    func descriptions(fault: PeerFault) {
        #expect(fault.description.contains(" "))
        #expect(fault.description != "the response violates HTTP/1.1")
    }
}
