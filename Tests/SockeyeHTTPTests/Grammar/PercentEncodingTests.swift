import Testing

@testable import SockeyeHTTP

/// The encoder and the decoders of percent-encoding that the whole library uses, and their treatment of malformed
/// escapes and of bytes outside ASCII (RFC 3986 2.1, RFC 8187 3.2.1, HTML 4.10.21.8).
@Suite("PercentEncoding") struct PercentEncodingTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("the decoder replaces every valid escape and leaves other text")
    func decoding() {
        #expect(text(PercentEncoding.decode("%41%c3%A9%".utf8)) == "Aé%")
        #expect(text(PercentEncoding.decode("%4%zz%2541".utf8)) == "%4%zz%41")
    }

    @Test("the decoder replaces only the escapes of chosen bytes")
    func someDecoding() {
        let quotes: (UInt8) -> Bool = { $0 == UInt8(ascii: "\"") }
        #expect(text(PercentEncoding.decode("%22%0D%2522".utf8, where: quotes)) == "\"%0D%2522")
    }

    @Test("the strict decoder refuses a broken escape and bytes outside ASCII")
    func strictDecoding() {
        #expect(PercentEncoding.decodeStrictly("a%20b".utf8).map(text) == "a b")
        #expect(PercentEncoding.decodeStrictly("%".utf8) == nil)
        #expect(PercentEncoding.decodeStrictly("%4".utf8) == nil)
        #expect(PercentEncoding.decodeStrictly("é".utf8) == nil)
    }

    @Test("the encoder escapes the bytes of a set and, unless told to keep them, all bytes outside ASCII")
    func encoding() {
        var (all, some): ([UInt8], [UInt8]) = ([], [])
        PercentEncoding.append("é\"%".utf8, encoding: ASCIISet("\""), to: &all)
        PercentEncoding.append("é\"%".utf8, encoding: ASCIISet("\""), keepsUTF8: true, to: &some)
        #expect(text(all) == "%C3%A9%22%")
        #expect(text(some) == "é%22%")
    }
}
