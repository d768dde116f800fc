import SockeyeHTTP
import Testing

/// The parser's reading of the fields that decide how a body is framed and whether the connection is reused.
@Suite struct FramingFieldTests {
    /// RFC 9110 8.6.
    @Test(
        "the parser reads Content-Length",
        arguments: [
            ("0", 0), ("42", 42), (" \t42\t ", 42), ("030", 30), ("42,42", 42), ("42 ,\t42", 42),
            ("4611686018427387904", 1 << 62), ("00000000000000000000000000007", 7),
        ])
    func contentLength(value: String, expected: Int) throws {
        #expect(try head("Content-Length:\(value)").contentLength == expected)
        #expect(try head("CONTENT-length: \(value)").contentLength == expected)
    }

    /// RFC 9110 8.6.
    @Test(
        "the parser refuses a malformed Content-Length",
        arguments: [
            ("", PeerFault.badContentLength), ("-5", .badContentLength), ("+5", .badContentLength),
            ("5 5", .badContentLength),
            ("0x10", .badContentLength), ("cat", .badContentLength), ("5s", .badContentLength),
            ("5,", .badContentLength),
            (",5", .badContentLength), ("5,,5", .badContentLength), ("\"5\"", .badContentLength),
            ("5.0", .badContentLength),
            ("4611686018427387905", .badContentLength), ("9223372036854775807", .badContentLength),
            ("9223372036854775808", .badContentLength), ("99999999999999999999", .badContentLength),
            ("\u{665}", .badContentLength), ("42,30", .conflictingContentLength),
            ("030, 30", .conflictingContentLength),
        ])
    func badContentLength(value: String, fault: PeerFault) {
        #expect(throws: fault) { try head("Content-Length: \(value)") }
    }

    @Test("the parser accepts repeated Content-Length lines only if they are identical")
    func repeatedContentLength() throws {
        #expect(try head("Content-Length: 7", "content-length: 7").contentLength == 7)
        #expect(throws: PeerFault.conflictingContentLength) { try head("Content-Length: 7", "Content-Length: 8") }
        #expect(throws: PeerFault.conflictingContentLength) { try head("Content-Length: 7", "Content-Length: 07") }
        #expect(throws: PeerFault.badContentLength) { try head("Content-Length:", "Content-Length: 7") }
    }

    /// RFC 9112 6.1.
    @Test(
        "the parser reads Transfer-Encoding",
        arguments: [
            ("chunked", ResponseHeadSummary.TransferEncoding.chunked, false), ("Chunked ", .chunked, false),
            (", chunked,", .chunked, false), ("gzip, chunked", .chunked, true),
            ("x-gzip,deflate , CHUNKED", .chunked, true),
            ("gzip", .untilClose, true), ("identity", .absent, false),
        ])
    func transferEncoding(value: String, expected: ResponseHeadSummary.TransferEncoding, coded: Bool) throws {
        let summary = try head("Transfer-Encoding: \(value)")
        #expect(summary.transferEncoding == expected)
        #expect(summary.hasTransferCoding == coded)
    }

    /// RFC 9112 6.1.
    @Test(
        "the parser refuses an empty, malformed or unknown Transfer-Encoding",
        arguments: [
            "", ",", "xchunked", "chunkedx", "chunked, chunked", "chunked, gzip", "chunked;a=b", "\"chunked\"",
            "chunked gzip",
            "nothing", "gzip;q=1, chunked",
        ])
    func badTransferEncoding(value: String) {
        #expect(throws: PeerFault.badTransferEncoding) { try head("Transfer-Encoding: \(value)") }
    }

    @Test("`identity` does not override Content-Length, and the connection is not reused")
    func identity() throws {
        let summary = try head("Transfer-Encoding: identity", "Content-Length: 5")
        #expect(try BodyFraming.determine(summary, for: .get) == .length(5))
        #expect(BodyFraming.isAmbiguous(summary))
        #expect(try BodyFraming.determine(head("Transfer-Encoding: identity"), for: .get) == .untilClose)
        #expect(throws: PeerFault.badTransferEncoding) {
            try head("Transfer-Encoding: identity", "Transfer-Encoding: chunked")
        }
    }

    @Test("the parser refuses Transfer-Encoding on two lines")
    func repeatedTransferEncoding() {
        #expect(throws: PeerFault.badTransferEncoding) {
            try head("Transfer-Encoding: gzip", "Transfer-Encoding: chunked")
        }
        #expect(throws: PeerFault.badTransferEncoding) {
            try head("Transfer-Encoding: chunked", "Transfer-Encoding: chunked")
        }
    }

    @Test(
        "the parser reads the options of Connection in any letter case, in lists and on several lines",
        arguments: [
            ("close", ResponseHeadSummary.ConnectionOptions.close), ("Keep-Alive", .keepAlive), ("x, CLOSE ,y", .close),
            ("upgrade,keep-alive", [.upgrade, .keepAlive]), ("closed", []), ("", []), ("close;q=1", []),
        ] as [(String, ResponseHeadSummary.ConnectionOptions)])
    func connection(value: String, expected: ResponseHeadSummary.ConnectionOptions) throws {
        #expect(try head("Connection: \(value)").connection == expected)
        #expect(try head("Connection: upgrade", "connection: \(value)").connection == expected.union(.upgrade))
    }

    @Test(
        "the parser reads the hints of Keep-Alive and ignores other text",
        arguments: [
            ("timeout=5, max=100", 5, 100), ("max=1", nil, 1), ("TIMEOUT=7200", 7_200, nil),
            ("timeout=-1, max=", nil, nil),
            ("timeout=99999999999999999999", nil, nil), ("300", nil, nil), ("=5", nil, nil), ("timeout =5", nil, nil),
        ] as [(String, Int?, Int?)])
    func keepAlive(value: String, timeout: Int?, max: Int?) throws {
        let summary = try head("Keep-Alive: \(value)")
        #expect(summary.keepAliveTimeout == timeout)
        #expect(summary.keepAliveMax == max)
    }

    @Test("the parser does not confuse similar names with framing fields")
    func lookalikes() throws {
        let summary = try head("Content-Length-X: a", "Content_Length: b", "XConnection: close", "Transfer-Encodin1: x")
        #expect(summary.contentLength == nil)
        #expect(summary.transferEncoding == .absent)
        #expect(summary.connection.isEmpty)
        #expect(try head("Content-Encoding: gzip").hasContentEncoding)
    }
}
