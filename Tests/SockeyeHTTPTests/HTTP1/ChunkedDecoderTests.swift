import HTTPTypes
import SockeyeHTTP
import Testing

@Suite struct ChunkedDecoderTests {
    struct Result: Equatable {
        var body: [UInt8] = []
        var trailers: [String] = []
        var consumed = 0
        var isComplete = false
        var fault: PeerFault?

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    static func decode(_ pieces: [ArraySlice<UInt8>], limits: HTTP1Limits = HTTP1Limits()) -> Result {
        var decoder = ChunkedDecoder(limits: limits)
        var result = Result()
        do throws(PeerFault) {
            for piece in pieces {
                var rest = piece
                while !result.isComplete {
                    switch try decoder.decode(rest.span) {
                    case .data(let range):
                        result.body += rest[(rest.startIndex + range.lowerBound)..<(rest.startIndex + range.upperBound)]
                        result.consumed += range.upperBound
                        rest = rest.dropFirst(range.upperBound)
                        continue
                    case .end(let count):
                        result.isComplete = true
                        result.consumed += count
                    case .needMore(let count):
                        #expect(count == rest.count)
                        result.consumed += count
                    }
                    break
                }
            }
        } catch {
            result.fault = error
        }
        result.trailers = decoder.trailerFields().map { "\($0.name): \($0.value)" }
        return result
    }

    static func decode(_ text: String, limits: HTTP1Limits = HTTP1Limits()) -> Result {
        let bytes = Array(text.utf8)
        let whole = decode([bytes[...]], limits: limits)
        var single = decode(bytes.indices.map { bytes[$0...$0] }, limits: limits)
        // A fault ends the loop over the pieces, so the decoder did not get the later bytes.
        if whole.fault != nil { single.consumed = whole.consumed }
        #expect(whole == single)
        return whole
    }

    @Test(
        "the decoder reads chunks with every allowed form of size line",
        arguments: [
            ("0\r\n\r\n", ""), ("5\r\nhello\r\n0\r\n\r\n", "hello"), ("1\r\na\r\n2\r\nbc\r\n0\r\n\r\n", "abc"),
            ("0000000000000003\r\nabc\r\n0000000000000000\r\n\r\n", "abc"),
            ("A\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
            ("a\r\n\r\n\r\n\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n\r\n\r\n\r\n"),
            ("5; ext=1\r\nhello\r\n0\r\n\r\n", "hello"), ("5;a=\"b;c\"\r\nhello\r\n0;x\r\n\r\n", "hello"),
            ("6 ; comment\r\nhello!\r\n0\r\n\r\n", "hello!"), ("5 \t\r\nhello\r\n0  \r\n\r\n", "hello"),
            ("5;\u{E9}\t\r\nhello\r\n0\r\n\r\n", "hello"),
        ])
    func wellFormed(text: String, body: String) {
        let result = Self.decode(text)
        #expect(result.text == body)
        #expect(result.isComplete)
        #expect(result.consumed == text.utf8.count)
    }

    /// RFC 9112 7.1.
    @Test(
        "the decoder refuses a malformed chunk",
        arguments: [
            ("\r\n", PeerFault.badChunkSize), ("g\r\n", .badChunkSize), ("-1\r\n", .badChunkSize),
            ("+1\r\n", .badChunkSize),
            ("0x1\r\n", .badChunkSize), (" 1\r\n", .badChunkSize), ("1 2\r\n", .badChunkSize),
            ("1_0\r\n", .badChunkSize),
            ("00000000000000001\r\n", .badChunkSize), ("8000000000000000\r\n", .badChunkSize),
            ("ffffffffffffffff\r\n", .badChunkSize), ("10000000000000000\r\n", .badChunkSize),
            (";a\r\n", .badChunkSize),
            ("5\u{0}\r\n", .badChunkSize), ("5\nhello", .bareLF), ("5;a\nhello", .bareLF), ("5 \nhello", .bareLF),
            ("5\rhello", .bareCR), ("5;a\rb\r\n", .bareCR), ("5;a\u{0}\r\n", .badChunkExtension),
            ("5;a\u{7F}\r\n", .badChunkExtension), ("1\r\nab", .missingCRLFAfterChunk),
            ("1\r\na\n", .missingCRLFAfterChunk),
            ("1\r\na\rb", .missingCRLFAfterChunk), ("1\r\na0\r\n\r\n", .missingCRLFAfterChunk),
            ("0\r\n\n", .bareLF), ("0\r\nA: b\n", .bareLF), ("0\r\nA b\r\n", .badFieldName("A b")),
            ("0\r\nA : b\r\n", .whitespaceBeforeColon),
            ("0\r\n A: b\r\n", .obsFold), ("0\r\nA: b\r\n c\r\n", .obsFold), ("0\r\nA: b\rc\r\n", .bareCR),
            ("0\r\nA: \u{0}\r\n", .nulInHead),
        ])
    func malformed(text: String, fault: PeerFault) {
        let result = Self.decode(text)
        #expect(result.fault == fault)
        #expect(!result.isComplete)
    }

    @Test("the decoder leaves the bytes after the body")
    func surplus() {
        let result = Self.decode("1\r\na\r\n0\r\n\r\nHTTP/1.1")
        #expect(result.consumed == 11)
        #expect(result.isComplete)
    }

    /// RFC 9110 6.5.1.
    @Test("`trailerFields` omits forbidden trailers, and `receivedTrailerFields` returns all received ones")
    func trailers() throws {
        let text = """
            0\r\nA: b\r\nContent-Length: 5\r\ntransfer-encoding: chunked\r\nContent-Digest: x\r\nSet-Cookie: y\r\n\
            AUTHORIZATION: z\r\nHost: h\r\nTrailer: q\r\nContent-Type: t\r\nCache-Control: c\r\na: c\r\n\r\n
            """
        #expect(Self.decode(text).trailers == ["A: b", "Content-Digest: x", "a: c"])
        var decoder = ChunkedDecoder()
        _ = try decoder.decode(Array(text.utf8).span)
        #expect(decoder.receivedTrailerFields().count == 11)
    }

    /// RFC 9110 5.4, RFC 9112 7.1.
    @Test("the decoder keeps exactly to its limits")
    func limits() {
        var limits = HTTP1Limits()
        limits.chunkLineBytes = 8
        #expect(Self.decode("0;abcd\r\n\r\n", limits: limits).isComplete)
        #expect(Self.decode("0;abcde\r\n\r\n", limits: limits).fault == .chunkLineTooLong(limit: 8))
        limits = HTTP1Limits()
        limits.trailerBytes = 8
        #expect(Self.decode("0\r\nA: b\r\n\r\n", limits: limits).isComplete)
        #expect(Self.decode("0\r\nA: bc\r\n\r\n", limits: limits).fault == .trailersTooLarge(limit: 8))
        limits.trailerBytes = 2
        #expect(Self.decode("0\r\n\r\n", limits: limits).isComplete)
        limits = HTTP1Limits()
        limits.trailerCount = 1
        #expect(Self.decode("0\r\nA: b\r\nC: d\r\n\r\n", limits: limits).fault == .tooManyTrailers(limit: 1))
    }

    @Test(
        "a size line may have 16 bytes and twice its chunk's data; the excess of all lines together is limited",
        arguments: [
            ([15, 13], true), ([19, 13], true), ([20, 0], false), ([19, 14], false), ([17, 15], true),
            ([17, 16], false), ([17, 0, 17, 13], true), ([17, 15, 17, 13], true), ([17, 17, 16, 13], false),
        ])
    func excess(blanks: [Int], isComplete: Bool) {
        var limits = HTTP1Limits()
        limits.chunkExtensionBytes = 4
        // Chunks of one byte, and the last chunk.
        let lines = blanks.map { String(repeating: " ", count: $0) + "\r\n" }
        let text = lines.dropLast().map { "1\($0)x\r\n" }.joined() + "0\(lines.last ?? "")\r\n"
        let result = Self.decode(text, limits: limits)
        let fault: PeerFault? = isComplete ? nil : .chunkExtensionTooLarge(limit: 4)
        #expect(result.fault == fault && result.isComplete == isComplete)
    }

    @Test("a long body may have blanks behind each size, but not long extensions of small chunks")
    func padding() {
        let data = String(repeating: "x", count: 16)
        let padded = String(repeating: "10  \r\n\(data)\r\n", count: 10_000) + "0  \r\n\r\n"
        #expect(Self.decode([Array(padded.utf8)[...]]).body.count == 160_000)
        let extended = String(repeating: "1;\(data)\(data)\r\nx\r\n", count: 2000)
        #expect(Self.decode([Array(extended.utf8)[...]]).fault == .chunkExtensionTooLarge(limit: 16_384))
    }

    @Test("the decoder returns a large chunk as one range, without its framing")
    func bulk() throws {
        let data = [UInt8](repeating: 7, count: 1 << 20)
        let bytes = Array("100000\r\n".utf8) + data + Array("\r\n0\r\n\r\n".utf8)
        var decoder = ChunkedDecoder()
        #expect(try decoder.decode(bytes.span.extracting(first: 10)) == .data(8..<10))
        #expect(decoder.expected == (1 << 20) - 2)
        #expect(try decoder.decode(bytes.span.extracting(droppingFirst: 10)) == .data(0..<((1 << 20) - 2)))
        #expect(try decoder.decode(bytes.span.extracting(last: 7)) == .end(consumed: 7))
    }
}
