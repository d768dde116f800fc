#if XML
import SockeyeTesting
import SockeyeXML
import Testing

@Suite("XML encodings", .timeLimit(.minutes(1)))
struct EncodingTests {
    private static func utf16(_ text: String, littleEndian: Bool, mark: Bool) -> [UInt8] {
        ((mark ? [0xFEFF] : []) + Array(text.utf16)).flatMap { unit in
            let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return littleEndian ? bytes.reversed() : bytes
        }
    }

    @Test("the encoding comes from the byte order mark, else from Content-Type, else from the document")
    func precedence() throws {
        let declared = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE9] + Array("</a>".utf8)
        let utf8 = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>é</a>".utf8)
        let sixteen = "<?xml version='1.0' encoding='UTF-16'?><a>é</a>"
        let rows: [([UInt8], String?)] = [
            (declared, nil), (utf8, "UTF-8"), ([0xEF, 0xBB, 0xBF] + utf8, nil),
            ([0xEF, 0xBB, 0xBF] + utf8, "iso-8859-1"),
            (Array("<a>".utf8) + [0xE9] + Array("</a>".utf8), "iso-8859-1"), (Array("<a>é</a>".utf8), nil),
            (Self.utf16(sixteen, littleEndian: true, mark: true), nil),
            (Self.utf16(sixteen, littleEndian: false, mark: true), nil),
            (Self.utf16(sixteen, littleEndian: false, mark: true), "utf-8"),
            (Self.utf16("<a>é</a>", littleEndian: true, mark: false), "utf-16le"),
            (Self.utf16("<a>é</a>", littleEndian: false, mark: false), "utf-16be"),
            (Array("<?xml version='1.0' encoding='Shift_JIS'?><a>é</a>".utf8), "utf-8"),
        ]
        for (bytes, charset) in rows {
            let text = try XMLDocument(parsing: Bytes(bytes), charset: charset).root.text
            #expect(text == "é", "\(charset ?? "none")")
        }
    }

    @Test("Japanese and Cyrillic encodings are supported")
    func system() throws {
        let japanese = Array("<?xml version='1.0' encoding='Shift_JIS'?><a>".utf8) + [0x93, 0xFA, 0x96, 0x7B]
        #expect(try XMLDocument(parsing: Bytes(japanese + Array("</a>".utf8))).root.text == "日本")
        let bare = Array("<a>".utf8) + [0x93, 0xFA, 0x96, 0x7B] + Array("</a>".utf8)
        for label in ["Shift_JIS", "x-sjis", "ms_kanji"] {
            #expect(try XMLDocument(parsing: Bytes(bare), charset: label).root.text == "日本", "\(label)")
        }
        let cyrillic = Array("<a>".utf8) + [0xC4, 0xC1] + Array("</a>".utf8)
        #expect(try XMLDocument(parsing: Bytes(cyrillic), charset: "koi8-r").root.text == "да")
    }

    @Test("an unknown encoding, invalid bytes and an empty document are errors of different kinds")
    func faults() {
        let rows: [([UInt8], String?, XMLError.Kind)] = [
            (Array("<?xml version='1.0' encoding='nonsense'?><a/>".utf8), nil, .unknownEncoding),
            (Array("<a/>".utf8), "nonsense", .unknownEncoding), (Array("<a/>".utf8), "../../x", .unknownEncoding),
            (Array("<a/>".utf8), "", .unknownEncoding),
            (Array("<a>".utf8) + [0xFF] + Array("</a>".utf8), nil, .invalidCharacter),
            (Array("<a>".utf8) + [0xC3] + Array("</a>".utf8), nil, .invalidCharacter),
            (Array("<a k='".utf8) + [0xE9] + Array("'/>".utf8), "utf-8", .invalidCharacter),
            (Array("<a>&#0;</a>".utf8), nil, .invalidCharacter), (Array("<a>\u{1}</a>".utf8), nil, .invalidCharacter),
            (
                Array("<?xml version='1.0' encoding='EUC-JP'?><a>".utf8) + [0xFF, 0xFF] + Array("</a>".utf8), nil,
                .invalidCharacter
            ),
            ([], nil, .empty), (Array(" \n".utf8), nil, .empty),
        ]
        for (bytes, charset, kind) in rows {
            let error = failure(Bytes(bytes), charset: charset)
            #expect(error?.kind == kind, "\(bytes.count) bytes, \(charset ?? "none"): \(error as Any)")
        }
    }

    @Test("a call passes the encoding of Content-Type to the parser")
    func call() async throws {
        let bytes = Bytes(Array("<?xml version='1.0' encoding='utf-8'?><a>".utf8) + [0xE9] + Array("</a>".utf8))
        let client = HTTPClient(
            transport: MockTransport { _ in .bytes(bytes, contentType: "application/rss+xml; charset=\"ISO-8859-1\"") })
        #expect(try await client.get("http://example.com/", as: .xml).root.text == "é")
        #expect(try await events([Array(bytes)], type: "text/xml; charset=latin1").contains(.text("é")))
    }
}
#endif
