import HTTPTypes
import SockeyeCore
import SockeyeHTTP
import Testing

@Suite struct ResponseHeadTests {
    @Test("finds values without making fields")
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

    @Test("keeps order, duplicates, case and bytes beyond ASCII")
    func fields() throws {
        var bytes = Array("HTTP/1.1 200 OK\r\nB: 1\r\na: ".utf8)
        bytes += [0x66, 0xFC, 0x72] + Array("\r\nb: \u{E9}\r\n\r\n".utf8)
        let fields = try #require(try parseHead(bytes)).makeFields()
        #expect(fields.map(\.name.rawName) == ["B", "a", "b"])
        #expect(fields[values: HTTPField.Name("b")!] == ["1", "\u{E9}"])
        let raw = unsafe fields[1].withUnsafeBytesOfValue { unsafe Array($0) }
        #expect(raw == [0x66, 0xFC, 0x72])
    }

    @Test("reads control bytes that are let through as blanks, in both ways of looking")
    func controls() throws {
        let head = try #require(try parseHead("HTTP/1.1 200 OK\r\nA: x\u{1B}[1m\u{7F}y\tz\r\n\r\n"))
        #expect(head.firstValue("a") == "x [1m y\tz")
        #expect(head.makeFields().first?.value == "x [1m y\tz")
    }

    @Test("makes as many fields as HTTPFields holds and never traps")
    func manyFields() throws {
        var limits = HTTP1Limits()
        limits.fieldCount = .max
        limits.headBytes = .max
        let text = "HTTP/1.1 200 OK\r\n" + String(repeating: "a:b\r\n", count: 70_000) + "\r\n"
        let head = try #require(try parseHead(text, limits: limits))
        #expect(head.summary.fieldCount == 70_000)
        #expect(head.makeFields().count == 65_534)
    }

    @Test("repairs a reason phrase that is no UTF-8")
    func reason() throws {
        let head = try #require(try parseHead(Array("HTTP/1.1 200 X".utf8) + [0xFF, 0x5A] + Array("\r\n\r\n".utf8)))
        #expect(head.reason == "X\u{FFFD}Z")
    }

    @Test(
        "describes every fault in a sentence",
        arguments: [
            PeerFault.closedBeforeResponse, .truncatedHead(received: 3), .truncatedBody(received: 1, expected: 2),
            .truncatedBody(received: 1, expected: nil), .badStatusLine, .unsupportedVersion, .badStatusCode(1),
            .badFieldName,
            .whitespaceBeforeColon, .obsFold, .bareCR, .bareLF, .nulInHead, .headTooLarge(limit: 9),
            .tooManyFields(limit: 9),
            .interimTooLarge(limit: 9), .badContentLength, .conflictingContentLength, .badTransferEncoding,
            .transferEncodingInHTTP10, .badChunkSize, .chunkLineTooLong(limit: 9), .chunkExtensionTooLarge(limit: 9),
            .badChunkExtension, .missingCRLFAfterChunk, .trailersTooLarge(limit: 9), .tooManyTrailers(limit: 9),
            .unexpectedUpgrade, .surplusBytes(9),
        ])
    func descriptions(fault: PeerFault) {
        #expect(fault.description.contains(" "))
        #expect(fault.description != "the response breaks HTTP/1.1")
    }
}
