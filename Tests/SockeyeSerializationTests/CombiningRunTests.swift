import Foundation
import SockeyeCore
import SockeyeSerialization
import Testing

/// Swift sorts the marks of a string quadratically when it compares or hashes the string.
@Suite("Runs of combining marks", .timeLimit(.minutes(1))) struct CombiningRunTests {
    private static func marks(_ count: Int, escaped: Bool = false) -> String {
        (0..<count).map { index in
            escaped ? (index % 2 == 0 ? "\\u0301" : "\\u0316") : (index % 2 == 0 ? "\u{301}" : "\u{316}")
        }.joined()
    }

    @Test(
        "257 or more successive marks in a key or a string are an error, raw or escaped",
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

    @Test("raw marks, escaped marks and marks that decompose count towards the same limit")
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

    @Test("texts with at most 256 successive marks are read, whatever their length and their escapes")
    func honest() throws {
        let texts = [
            Self.marks(256), Self.marks(256, escaped: true), String(repeating: "日本語の文章。", count: 2000),
            String(repeating: "Ça va déjà? Größe ", count: 2000),
            String(repeating: "\\u0928\\u093f\\u0301", count: 2000),
            String(repeating: "\\\\u0301", count: 2000), String(repeating: "👩‍👩‍👧‍👦", count: 500),
            String(repeating: "n\u{303}", count: 5000),
            // Python and Java write characters beyond the basic plane as a pair of surrogates, which is one scalar and
            // not a mark.
            String(repeating: "\\ud83d\\udc1f", count: 2000),
        ]
        for text in texts {
            let json = "{\"\(text)\": \"\(text)\"}"
            #expect(try JSONValue(parsing: json).object?.count == 1)
            #expect(try JSONDecoder().decode([String: String].self, checking: Data(json.utf8)).count == 1)
        }
    }
}
