import SockeyeCore
import SockeyeHTTP
import Testing

/// Tests of the multi-byte encodings (Encoding standard, sections 10 to 13).
///
/// The checksums were made by a literal implementation of the standard's decoders and the standard's index files
/// (whatwg/encoding, revision a985b62).
@Suite struct MultiByteDecoderTests {
    /// Returns all combinations of bytes from these ranges, each with a line feed after it.
    private static func lines(_ ranges: [ClosedRange<UInt8>]) -> [UInt8] {
        let sequences = ranges.reduce([[]] as [[UInt8]]) { starts, range in
            starts.flatMap { start in range.map { start + [$0] } }
        }
        return sequences.flatMap { $0 + [0x0A] }
    }

    /// Returns the checksum of the text in UTF-8 (FNV-1a, 64 bits).
    private static func checksum(_ bytes: [UInt8], _ label: String) throws -> UInt64 {
        let text = try #require(TextDecoder(label: label)).decode(Bytes(bytes))
        return text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    @Test(
        "all pairs, triples and quadruples of bytes are decoded as the standard says",
        arguments: [
            ("gbk", [0x80...0xFF, 0x00...0xFF], 0xDA70_8651_B4A9_97FE),
            ("gb18030", [0x81...0x85, 0x30...0x39, 0x80...0xFF, 0x30...0x39], 0xDBCF_0A68_36CD_05D8),
            ("gb18030", [0x90...0x90, 0x30...0x39, 0x80...0xFF, 0x30...0x39], 0xC68A_B8DE_D413_AF1D),
            ("gb18030", [0xE3...0xE4, 0x30...0x39, 0x80...0xFF, 0x30...0x39], 0x6B3C_F5AE_675E_7725),
            ("big5", [0x80...0xFF, 0x00...0xFF], 0x2D41_6AD4_9AE2_D48C),
            ("euc-jp", [0x80...0xFF, 0x00...0xFF], 0x2FE3_13D4_AE38_6955),
            ("euc-jp", [0x8F...0x8F, 0x80...0xFF, 0x80...0xFF], 0x0A35_A985_D55F_5A3D),
            ("shift_jis", [0x80...0xFF, 0x00...0xFF], 0xE6FF_29BD_BC84_7FE1),
            ("euc-kr", [0x80...0xFF, 0x00...0xFF], 0x8ECB_9143_A2FF_DC98),
        ] as [(String, [ClosedRange<UInt8>], UInt64)])
    func sequences(label: String, ranges: [ClosedRange<UInt8>], checksum: UInt64) throws {
        #expect(try Self.checksum(Self.lines(ranges), label) == checksum)
    }

    @Test("all pairs of ISO-2022-JP, and all bytes in its other character sets, are decoded as the standard says")
    func escaped() throws {
        let range: ClosedRange<UInt8> = 0x21...0x7E
        let pairs = range.flatMap { lead in range.flatMap { [lead, $0] } }
        #expect(try Self.checksum([0x1B, 0x24, 0x42] + pairs, "iso-2022-jp") == 0x0F19_1C1C_356B_B12A)
        let bytes = (UInt8.min...UInt8.max).filter { $0 != 0x1B }
        let escapes: [[UInt8]] = [[0x1B, 0x28, 0x42], [0x1B, 0x28, 0x4A], [0x1B, 0x28, 0x49]]
        let sets = escapes.flatMap { $0 + bytes }
        #expect(try Self.checksum(sets, "iso-2022-jp") == 0x5F46_C0BC_CFB9_1E82)
    }

    @Test(
        "ASCII after malformed bytes is kept, and each error becomes a single U+FFFD",
        arguments: [
            ("euc-kr", [0xC9, 0xA1, 0x41, 0x42, 0x43], "\u{FFFD}ABC"),
            ("euc-kr", [0x80, 0xFF, 0x41], "\u{FFFD}\u{FFFD}A"),
            ("euc-kr", [0xC7], "\u{FFFD}"), ("big5", [0x81, 0x87, 0x41, 0x22], "\u{FFFD}A\""),
            ("big5", [0x80, 0xFF], "\u{FFFD}\u{FFFD}"), ("shift_jis", [0x81, 0xE9, 0x41], "\u{FFFD}A"),
            ("shift_jis", [0x81, 0xE9, 0x3C, 0x62, 0x3E], "\u{FFFD}<b>"),
            ("shift_jis", [0xA0, 0xFD, 0xFF, 0x5C, 0x7E], "\u{FFFD}\u{FFFD}\u{FFFD}\\~"),
            ("euc-jp", [0x80, 0x8D, 0x90, 0x9F], "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("euc-jp", [0x8E, 0x41, 0x8E, 0xFF, 0x8E, 0xB1, 0x8E], "\u{FFFD}A\u{FFFD}\u{FF71}\u{FFFD}"),
            ("euc-jp", [0x8F, 0x41, 0x8F, 0xA2, 0x41, 0x8F, 0xA2], "\u{FFFD}A\u{FFFD}A\u{FFFD}"),
            ("euc-jp", [0x8F, 0xA2, 0xC3, 0x8F, 0xA2, 0xFF, 0x61], "\u{A6}\u{FFFD}a"),
            ("gb18030", [0x81, 0x30, 0x41], "\u{FFFD}0A"), ("gb18030", [0x81, 0x30, 0x81, 0x41], "\u{FFFD}0丄"),
            ("gb18030", [0x81, 0x30, 0x81, 0x20, 0x41], "\u{FFFD}0\u{FFFD} A"),
            ("gb18030", [0x81, 0x30, 0x81], "\u{FFFD}"), ("gb18030", [0x81, 0x30], "\u{FFFD}"),
            ("gb18030", [0x81, 0x20, 0x81, 0x3A], "\u{FFFD} \u{FFFD}:"),
            ("gb18030", [0x84, 0x31, 0xA4, 0x39, 0x84, 0x31, 0xA5, 0x30], "\u{FFFF}\u{FFFD}"),
            ("gb18030", [0xE3, 0x32, 0x9A, 0x35, 0xE3, 0x32, 0x9A, 0x36], "\u{10FFFF}\u{FFFD}"),
            ("iso-2022-jp", [0x1B, 0x28, 0x42, 0x1B, 0x24, 0x42, 0x46, 0x7C], "\u{FFFD}日"),
            ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x1B, 0x28, 0x42, 0x61], "\u{FFFD}a"),
            ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x0A, 0x46], "\u{FFFD}\u{FFFD}"),
            ("iso-2022-jp", [0x1B, 0x61], "\u{FFFD}a"), ("iso-2022-jp", [0x1B, 0x24], "\u{FFFD}$"),
            ("iso-2022-jp", [0x1B, 0x28, 0x5A], "\u{FFFD}(Z"),
        ] as [(String, [UInt8], String)])
    func malformed(label: String, bytes: [UInt8], text: String) throws {
        let decoded = try #require(TextDecoder(label: label)).decode(Bytes(bytes))
        #expect(Array(decoded.unicodeScalars) == Array(text.unicodeScalars), "\(decoded)")
    }

    @Test(
        "characters that the C library's converters decode differently are decoded as the standard says",
        arguments: [
            (
                "big5", [0xA3, 0xE1, 0xA1, 0xE3, 0xA2, 0x44, 0xA1, 0x4E, 0xA1, 0x5A],
                "€\u{FF5E}\u{FFE5}\u{FE51}\u{2574}"
            ),
            (
                "big5", [0x88, 0x62, 0x88, 0x64, 0x88, 0xA3, 0x88, 0xA5],
                "\u{CA}\u{304}\u{CA}\u{30C}\u{EA}\u{304}\u{EA}\u{30C}"
            ),
            ("big5", [0x87, 0x40, 0x89, 0x41], "\u{43F0}\u{21145}"),
            ("gbk", [0x80, 0xA3, 0xA0, 0xFE, 0x51], "€\u{3000}\u{E816}"),
            (
                "gb18030", [0x82, 0x35, 0x90, 0x37, 0x84, 0x31, 0x82, 0x36, 0x81, 0x35, 0xF4, 0x37],
                "\u{9FB4}\u{FE10}\u{E7C7}"
            ),
            ("shift_jis", [0x80, 0xF0, 0x40, 0xF9, 0xFC, 0xB1], "\u{80}\u{E000}\u{E757}\u{FF71}"),
            ("iso-2022-jp", [0x1B, 0x28, 0x49, 0x31, 0x1B, 0x28, 0x42, 0x0E, 0x0F], "\u{FF71}\u{FFFD}\u{FFFD}"),
            ("iso-2022-jp", [0x1B, 0x28, 0x4A, 0x5C, 0x7E, 0x41], "\u{A5}\u{203E}A"),
            ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x21, 0x41, 0x2D, 0x21, 0x1B, 0x24, 0x40, 0x21, 0x7E], "\u{FF5E}①◇"),
        ] as [(String, [UInt8], String)])
    func ownTables(label: String, bytes: [UInt8], text: String) throws {
        let decoded = try #require(TextDecoder(label: label)).decode(Bytes(bytes))
        #expect(Array(decoded.unicodeScalars) == Array(text.unicodeScalars), "\(decoded)")
    }
}
