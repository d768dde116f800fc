import SockeyePlatform
import Testing

@Suite("Character sets of the C library")
struct CharacterConverterTests {
    private func convert(_ bytes: [UInt8], from name: String) throws -> String {
        // Small C libraries lack the rarer character sets.
        guard let converter = CharacterConverter(from: name) else { throw MissingSet(name: name) }
        return unsafe bytes.withUnsafeBytes { unsafe converter.convert($0) }
    }

    private struct MissingSet: Error {
        let name: String
    }

    @Test("ISO 8859-1 is converted byte by byte")
    func latin1() throws {
        #expect(try convert([0x63, 0x61, 0x66, 0xE9], from: "ISO-8859-1") == "café")
        #expect(try convert([], from: "ISO-8859-1") == "")
    }

    @Test("a text longer than the converter's buffer is converted whole")
    func long() throws {
        let text = try convert([UInt8](repeating: 0xE9, count: 50_000), from: "ISO-8859-1")
        #expect(text == String(repeating: "é", count: 50_000))
    }

    @Test("characters of several bytes are converted")
    func multibyte() throws {
        #expect(try convert([0x93, 0xFA, 0x96, 0x7B], from: "SHIFT_JIS") == "日本")
        #expect(try convert([0x00, 0x61, 0xD8, 0x3D, 0xDC, 0x1F], from: "UTF-16BE") == "a🐟")
    }

    @Test("an invalid byte becomes one replacement character, and conversion continues")
    func invalid() throws {
        #expect(try convert([0x61, 0xFF, 0x62], from: "UTF-8") == "a\u{FFFD}b")
        #expect(try convert([0x61, 0xFF, 0xFE], from: "UTF-8") == "a\u{FFFD}\u{FFFD}")
    }

    @Test("a character that is cut at the end becomes one replacement character")
    func incomplete() throws {
        #expect(try convert([0x61, 0xE2, 0x82], from: "UTF-8") == "a\u{FFFD}")
        #expect(try convert([0x00, 0x61, 0x00], from: "UTF-16BE") == "a\u{FFFD}")
    }

    @Test("an unknown character set has no converter", arguments: ["no-such-set", "a/b"])
    func unknown(name: String) {
        #expect(throws: MissingSet.self) { try convert([], from: name) }
    }
}
