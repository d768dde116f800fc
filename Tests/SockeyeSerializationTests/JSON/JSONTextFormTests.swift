import Foundation
import SockeyeSerialization
import Testing

@Suite struct JSONTextFormTests {
    /// Returns the text in UTF-8, and in UTF-16 and UTF-32 with both byte orders.
    private static func forms(_ text: String) -> [[UInt8]] {
        let utf16 = Array(text.utf16)
        let utf32 = text.unicodeScalars.map(\.value)
        return [
            Array(text.utf8),
            utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] },
            utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] },
            utf32.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } },
            utf32.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } },
        ]
    }

    @Test(
        "UTF-16 and UTF-32 are read, with a byte order mark and without",
        arguments: ["{\"a\":\"é😀\"}", "[]", "70", "\"é\"", "[1,\r\n\"中\"]"])
    func reads(text: String) throws {
        let value = try JSONValue(parsing: text)
        for (plain, marked) in zip(Self.forms(text), Self.forms("\u{FEFF}" + text)) {
            #expect(try JSONValue(parsing: plain) == value)
            #expect(try JSONValue(parsing: marked) == value)
        }
    }

    @Test("A digit and a NUL are not a number in UTF-16", arguments: [[0x31, 0x00], [0x00, 0x31]] as [[UInt8]])
    func digit(bytes: [UInt8]) throws {
        #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Int.self, checking: Data(bytes)) }
        let mark: [UInt8] = bytes[0] == 0 ? [0xFE, 0xFF] : [0xFF, 0xFE]
        #expect(try JSONValue(parsing: mark + bytes) == 1)
    }

    @Test("A byte order mark is removed once, and only at the start")
    func marks() throws {
        #expect(try JSONValue(parsing: [0xEF, 0xBB, 0xBF, 0x31]) == 1)
        for text in ["\u{FEFF}\u{FEFF}1", "1\u{FEFF}", "[\u{FEFF}1]"] {
            #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        }
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: [0xEF, 0xBB, 0xBF]) }
        #expect(error?.kind == .empty)
    }

    @Test("The place of an error is an offset in the given bytes, in any Unicode form")
    func places() {
        let offsets = Self.forms("\u{FEFF}[\"é😀\",\r\n x]").map { bytes in
            let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
            #expect(error?.kind == .unexpectedCharacter)
            #expect(error?.line == 2)
            #expect(error?.column == 2)
            return error?.offset
        }
        #expect(offsets == [16, 22, 22, 40, 40])
    }

    @Test(
        "Damaged UTF-16 and UTF-32 is refused with the offset of the damage",
        arguments: [
            ([0xFE, 0xFF, 0x00, 0x5B, 0x00], 4), ([0xFF, 0xFE, 0x22, 0x00, 0x3D, 0xD8, 0x22, 0x00], 4),
            ([0xFF, 0xFE, 0x22, 0x00, 0x00, 0xDE, 0x22, 0x00], 4), ([0x00, 0x22, 0x00, 0x61, 0xD8, 0x3D], 4),
            ([0x00, 0x00, 0x00, 0x5B, 0x00, 0x11, 0x00, 0x00], 4), ([0x5B, 0x00, 0x00, 0x00, 0x31, 0x00], 4),
        ] as [([UInt8], Int)]
    )
    func damaged(bytes: [UInt8], offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
        #expect(error?.kind == .invalidUnicode)
        #expect(error?.offset == offset)
    }

    @Test("A text that is cut anywhere is an error, in any Unicode form")
    func cuts() throws {
        for bytes in Self.forms("\u{FEFF}{\"é\":[1,\"😀\\ud83d\\ude00\",null]}") {
            for length in 0..<bytes.count {
                let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes[..<length]) }
                #expect((0...length).contains(error?.offset ?? -1))
            }
            #expect(throws: Never.self) { try JSONValue(parsing: bytes) }
        }
    }
}
