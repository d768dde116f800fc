import Testing

@testable import SockeyeHTTP

/// The one encoder and decoder, in each of its tolerances (RFC 3986 2.1, RFC 8187 3.2.1, HTML 4.10.21.8).
@Suite("PercentEncoding") struct PercentEncodingTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test("decodes every escape, and leaves what is none")
    func decoding() {
        #expect(text(PercentEncoding.decode("%41%c3%A9%".utf8)) == "Aé%")
        #expect(text(PercentEncoding.decode("%4%zz%2541".utf8)) == "%4%zz%41")
    }

    @Test("decodes only the bytes that are meant")
    func someDecoding() {
        let quotes: (UInt8) -> Bool = { $0 == UInt8(ascii: "\"") }
        #expect(text(PercentEncoding.decode("%22%0D%2522".utf8, where: quotes)) == "\"%0D%2522")
    }

    @Test("refuses a broken escape and bytes outside ASCII where it is strict")
    func strictDecoding() {
        #expect(PercentEncoding.decodeStrictly("a%20b".utf8).map(text) == "a b")
        #expect(PercentEncoding.decodeStrictly("%".utf8) == nil)
        #expect(PercentEncoding.decodeStrictly("%4".utf8) == nil)
        #expect(PercentEncoding.decodeStrictly("é".utf8) == nil)
    }

    @Test("encodes a set and what is outside ASCII, or keeps the latter")
    func encoding() {
        var (all, some): ([UInt8], [UInt8]) = ([], [])
        PercentEncoding.append("é\"%".utf8, encoding: ASCIISet("\""), to: &all)
        PercentEncoding.append("é\"%".utf8, encoding: ASCIISet("\""), keepsUTF8: true, to: &some)
        #expect(text(all) == "%C3%A9%22%")
        #expect(text(some) == "é%22%")
    }
}
