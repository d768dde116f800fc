import SockeyeCore
import SockeyeHTTP
import SockeyeTestSupport
import Testing

@Suite struct TextDecoderTests {
    @Test(
        "labels are recognised in any case and with blanks around them",
        arguments: [
            ("utf8", "UTF-8"), (" UTF-8\t\n", "UTF-8"), ("iso-8859-1", "windows-1252"), ("US-ASCII", "windows-1252"),
            ("latin1", "windows-1252"), ("ISO_8859-5:1988", "ISO-8859-5"), ("latin5", "windows-1254"),
            ("sjis", "Shift_JIS"),
            ("gb2312", "GBK"), ("ks_c_5601-1987", "EUC-KR"), ("utf-16", "UTF-16LE"), ("unicodefffe", "UTF-16BE"),
            ("x-x-big5", "Big5"), ("koi8-ru", "KOI8-U"), ("iso-8859-8-i", "ISO-8859-8-I"),
            ("hz-gb-2312", "replacement"),
            ("mac", "macintosh"), ("tis-620", "windows-874"), ("x-mac-ukrainian", "x-mac-cyrillic"), ("866", "IBM866"),
        ]
    )
    func labels(label: String, name: String) {
        #expect(TextEncoding(label: label)?.name == name)
    }

    @Test(
        "unknown and malformed labels are not recognised",
        arguments: [
            "", " ", "utf-7", "cesu-8", "cp437", "utf-8 x", "\u{A0}utf-8", "'utf-8'", "UTF-8\u{B}", "\u{212A}oi8-r",
        ])
    func unknown(label: String) {
        #expect(TextEncoding(label: label) == nil)
        #expect(TextDecoder(label: label) == nil)
    }

    @Test(
        "text is decoded in the labelled encoding",
        arguments: [
            ("utf-8", [0x63, 0xC3, 0xA9], "cé"),
            ("utf-8", [0x61, 0xFF, 0xE2, 0x82, 0x62], "a\u{FFFD}\u{FFFD}b"),
            ("iso-8859-1", [0x80, 0x81, 0x93, 0xE9, 0x9F], "€\u{81}“éŸ"),
            ("utf-16le", [0x61, 0x00, 0x3D, 0xD8, 0x00, 0xDE], "a😀"),
            ("utf-16be", [0x00, 0x61, 0xD8, 0x3D, 0xDE, 0x00], "a😀"),
            ("utf-16le", [0x61, 0x00, 0x00, 0xD8, 0x62, 0x00, 0x63], "a\u{FFFD}b\u{FFFD}"),
            ("utf-16be", [0xD8, 0x00, 0x00], "\u{FFFD}"),
            ("utf-16le", [0x61], "\u{FFFD}"),
            ("iso-8859-2", [0xA3, 0xF3, 0x64, 0xBC], "Łódź"),
            ("iso-8859-15", [0xA4], "€"),
            ("windows-1251", [0xCF, 0xF0, 0xE8], "При"),
            ("koi8-r", [0xF0, 0xD2, 0xC9], "При"),
            ("koi8-u", [0xA4], "є"),
            ("macintosh", [0x8A], "ä"),
            ("ibm866", [0x8F], "П"),
            ("windows-874", [0xA1], "ก"),
            // A letter and its accent stay two characters, as on the web.
            ("windows-1258", [0x61, 0xEC], "a\u{301}"),
            ("windows-1250", [0x8A, 0xE8], "Šč"), ("windows-1253", [0xE1, 0xAA, 0xFF], "α\u{FFFD}\u{FFFD}"),
            ("windows-1254", [0xFE, 0xD0], "şĞ"), ("windows-1255", [0xF9, 0xCA, 0x81], "ש\u{5BA}\u{81}"),
            ("koi8-u", [0xAE, 0xBE], "ўЎ"), ("x-mac-cyrillic", [0xFF, 0xA2], "€Ґ"),
            ("iso-8859-8-i", [0xE0, 0xBF], "א\u{FFFD}"),
            ("utf-32", [0, 0, 0, 0x61, 0, 1, 0xF6, 0], "a😀"), ("utf-32le", [0x61, 0, 0, 0, 0, 0xF6, 1, 0], "a😀"),
            ("utf-32", [0, 0, 0xD8, 0, 0, 0x11, 0, 0, 0, 0], "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("utf-32", [0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], "a"), ("utf-32le", [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x61], "a"),
            ("utf-32le", [0xFF, 0xFE, 0x61, 0], "a"),
            // The characters of NEC and IBM in rows 89 to 92, one of row 13, and rows without characters.
            ("euc-jp", [0xF9, 0xA1, 0xF9, 0xFE, 0xFC, 0xFE, 0xFC, 0xF3], "纊德＂ⅲ"),
            ("euc-jp", [0xAD, 0xA1, 0xF5, 0xA1, 0xFE, 0xFE, 0x61], "①\u{FFFD}\u{FFFD}a"),
            // Two broken bars, from JIS X 0212 and from row 92, and a row of JIS X 0212 without characters.
            ("euc-jp", [0x8F, 0xA2, 0xC3, 0xFC, 0xFC, 0x8F, 0xF5, 0xA1, 0x61], "\u{A6}\u{FFE4}\u{FFFD}a"),
            ("shift_jis", [0x93, 0xFA, 0x96, 0x7B, 0x81, 0x60], "日本～"),
            ("euc-jp", [0xC6, 0xFC, 0xCB, 0xDC], "日本"),
            ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42, 0x61], "日a"),
            ("gbk", [0xD6, 0xD0, 0xCE, 0xC4], "中文"),
            ("gb18030", [0x94, 0x39, 0xFC, 0x36], "😀"),
            ("big5", [0xA4, 0xA4, 0xA4, 0xE5], "中文"),
            ("euc-kr", [0xC7, 0xD1, 0xB1, 0xDB], "한글"),
            ("x-user-defined", [0x41, 0x80, 0xFF], "A\u{F780}\u{F7FF}"),
            ("iso-2022-kr", [0x41, 0x42], "\u{FFFD}"),
        ] as [(String, [UInt8], String)]
    )
    func decoding(label: String, bytes: [UInt8], text: String) throws {
        let decoded = try #require(TextDecoder(label: label)).decode(Bytes(bytes))
        // Compares scalars, because Swift's == treats canonically equivalent texts as equal.
        #expect(Array(decoded.unicodeScalars) == Array(text.unicodeScalars), "\(decoded)")
    }

    @Test(
        "each single-byte encoding is decoded one to one, except for bytes that the standard omits",
        arguments: [
            ("ibm866", 0), ("iso-8859-2", 0), ("iso-8859-3", 7), ("iso-8859-4", 0), ("iso-8859-5", 0),
            ("iso-8859-6", 45),
            ("iso-8859-7", 3), ("iso-8859-8", 36), ("iso-8859-8-i", 36), ("iso-8859-10", 0), ("iso-8859-13", 0),
            ("iso-8859-14", 0), ("iso-8859-15", 0), ("iso-8859-16", 0), ("koi8-r", 0), ("koi8-u", 0), ("macintosh", 0),
            ("windows-874", 8), ("windows-1250", 0), ("windows-1251", 0), ("windows-1252", 0), ("windows-1253", 3),
            ("windows-1254", 0), ("windows-1255", 10), ("windows-1256", 0), ("windows-1257", 2), ("windows-1258", 0),
            ("x-mac-cyrillic", 0), ("x-user-defined", 0),
        ]
    )
    func singleByte(label: String, missing: Int) throws {
        let decoder = try #require(TextDecoder(label: label))
        let letters = try (UInt8(0)...255).map { byte in
            let scalars = decoder.decode(Bytes([byte])).unicodeScalars
            #expect(scalars.count == 1)
            return try #require(scalars.first)
        }
        #expect(letters[..<128].map(\.value) == Array(0..<128))
        let known = letters.filter { $0 != "\u{FFFD}" }
        #expect(Set(known).count == known.count)
        #expect(256 - known.count == missing)
        #expect(Array(decoder.decode(Bytes(0...255)).unicodeScalars) == letters)
    }

    @Test("invalid bytes of a multi-byte encoding are replaced, and decoding continues after them")
    func repair() throws {
        let gbk = try #require(TextDecoder(label: "gbk"))
        #expect(gbk.decode(Bytes([0xFF, 0xD6, 0xD0])) == "\u{FFFD}中")
        #expect(gbk.decode(Bytes([0xD6, 0xD0, 0xD6])) == "中\u{FFFD}")
        let japanese = try #require(TextDecoder(label: "iso-2022-jp"))
        #expect(japanese.decode(Bytes([0x80, 0x61])) == "\u{FFFD}a")
    }

    @Test("a byte order mark overrides the label and is removed", arguments: ["utf-8", "windows-1251", "utf-16be"])
    func byteOrderMark(label: String) throws {
        let decoder = try #require(TextDecoder(label: label))
        #expect(decoder.decode(Bytes([0xEF, 0xBB, 0xBF, 0xC3, 0xA9])) == "é")
        #expect(decoder.decode(Bytes([0xFF, 0xFE, 0xE9, 0x00])) == "é")
        #expect(decoder.decode(Bytes([0xFE, 0xFF, 0x00, 0xE9])) == "é")
        #expect(decoder.decode(Bytes([0xFF, 0xFE])) == "")
    }

    @Test("long texts are decoded")
    func long() throws {
        let decoder = try #require(TextDecoder(label: "gbk"))
        let bytes = Bytes([UInt8](repeating: 0, count: 100_001).enumerated().map { $0.offset % 2 == 0 ? 0xD6 : 0xD0 })
        #expect(decoder.decode(bytes) == String(repeating: "中", count: 50_000) + "\u{FFFD}")
    }

    @Test("no encoding loops or traps on noise")
    func noise() throws {
        var generator = SplitMix(seed: 7)
        let labels = [
            "ibm866", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8",
            "iso-8859-8-i", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16", "koi8-r",
            "koi8-u",
            "macintosh", "windows-874", "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254",
            "windows-1255", "windows-1256", "windows-1257", "windows-1258", "x-mac-cyrillic", "gbk", "gb18030", "big5",
            "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr", "utf-16le", "utf-16be", "utf-8", "x-user-defined",
            "iso-2022-cn", "utf-32", "utf-32le",
        ]
        for label in labels {
            let decoder = try #require(TextDecoder(label: label))
            #expect(decoder.decode(Bytes()) == "")
            for length in [1, 2, 3, 17, 300, 5000] {
                let noise = Bytes((0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) })
                #expect(!decoder.decode(noise).isEmpty, "\(label)")
            }
        }
    }
}
