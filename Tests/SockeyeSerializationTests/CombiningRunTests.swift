import Foundation
import SockeyeCore
import SockeyeSerialization
import Testing

/// Swift orders the marks of a string by a quadratic sort when it is compared or hashed.
@Suite("Runs of combining marks", .timeLimit(.minutes(1))) struct CombiningRunTests {
    private static func marks(_ count: Int, escaped: Bool = false) -> String {
        (0..<count).map { index in
            escaped ? (index % 2 == 0 ? "\\u0301" : "\\u0316") : (index % 2 == 0 ? "\u{301}" : "\u{316}")
        }.joined()
    }

    @Test(
        "of a million in a key are an error before anything compares or hashes it, escaped or not",
        arguments: [(1_000_000, false), (1_000_000, true), (257, false), (257, true)])
    func json(count: Int, escaped: Bool) throws {
        let marks = Self.marks(count, escaped: escaped)
        for text in ["{\"a\(marks)\": 1, \"b\": 2}", "[\"\(marks)\"]"] {
            let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
            #expect(error?.kind == .tooManyMarks)
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode([String: Int].self, checking: Data(text.utf8))
            }
        }
    }

    @Test("are counted whatever stands between raw and escaped ones, and tonal signs that are several at once")
    func mixed() {
        let raw = Self.marks(100)
        for text in [
            "\"\(raw)\(Self.marks(100, escaped: true))\(raw)\"",
            "\"\(String(repeating: "\\uD834\\uDD65", count: 257))\"",
            "\"\(String(repeating: "\u{F73}", count: 257))\"",
        ] {
            #expect((try? JSONValue(parsing: text)) == nil)
        }
    }

    @Test("of 256 are read, and so is honest text, however long and however escaped")
    func honest() throws {
        let texts = [
            Self.marks(256), Self.marks(256, escaped: true), String(repeating: "日本語の文章。", count: 2000),
            String(repeating: "Ça va déjà? Größe ", count: 2000),
            String(repeating: "\\u0928\\u093f\\u0301", count: 2000),
            String(repeating: "\\\\u0301", count: 2000), String(repeating: "👩‍👩‍👧‍👦", count: 500),
            String(repeating: "n\u{303}", count: 5000),
            // As Python and Java write what is beyond the basic plane: a pair of surrogates is one scalar, and no mark.
            String(repeating: "\\ud83d\\udc1f", count: 2000),
        ]
        for text in texts {
            let json = "{\"\(text)\": \"\(text)\"}"
            #expect(try JSONValue(parsing: json).object?.count == 1)
            #expect(try JSONDecoder().decode([String: String].self, checking: Data(json.utf8)).count == 1)
        }
    }
}
