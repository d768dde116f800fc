import Foundation
import SockeyeSerialization
import SockeyeTestSupport
import Testing

/// Bytes on which `JSONDecoder` traps must give an error before they reach it.
@Suite("The JSON guard in front of Foundation's decoder") struct JSONGuardTests {
    enum Bracket: String, CaseIterable { case array, object, alternating }

    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    private struct Tree: Codable, Equatable {
        var a: [Tree]
    }

    private static func text(_ bracket: Bracket, levels: Int, isClosed: Bool) -> String {
        let level: (Int) -> (String, String) = { index in
            bracket == .array || bracket == .alternating && index % 2 == 0 ? ("[", "]") : (#"{"a":"#, "}")
        }
        let opening = (0..<levels).map { level($0).0 }.joined()
        return isClosed ? opening + "1" + (0..<levels).reversed().map { level($0).1 }.joined() : opening
    }

    private func decode(
        _ text: String, json5: Bool = false, change: (JSONDecoder) -> Void = { _ in }
    ) throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = json5
        change(decoder)
        _ = try decoder.decode(Anything.self, checking: Data(text.utf8))
    }

    private func cause(_ body: () throws -> Void) throws -> JSONError {
        let error = try #require(throws: DecodingError.self) { try body() }
        guard case .dataCorrupted(let context) = error else {
            throw error
        }
        #expect(context.codingPath.isEmpty)
        return try #require(context.underlyingError as? JSONError)
    }

    @Test(
        "More than 500 nested brackets are an error that names the place and the limit",
        arguments: Bracket.allCases, Array(511...515) + [501, 100_000])
    func brackets(bracket: Bracket, levels: Int) throws {
        for isClosed in [false, true] {
            for json5 in [false, true] {
                let text = Self.text(bracket, levels: levels, isClosed: isClosed)
                let error = try cause { try decode(text, json5: json5) }
                #expect(error.kind == .tooDeep)
                #expect(error.message == "arrays and objects are nested deeper than 500 levels")
                #expect(error.offset == Self.text(bracket, levels: 500, isClosed: false).utf8.count)
                #expect(error.line == 1 && error.column == error.offset + 1)
            }
        }
    }

    @Test("513 nested brackets are an error, whatever the kind of the last one", arguments: ["[", "{"])
    func mixed(last: String) throws {
        let error = try cause { try decode(String(repeating: #"{"a":"#, count: 512) + last) }
        #expect(error.kind == .tooDeep)
    }

    @Test("500 levels are decoded on a thread with a stack of megabytes", arguments: Bracket.allCases)
    func deepest(bracket: Bracket) throws {
        try decode(Self.text(bracket, levels: 500, isClosed: true))
        try decode(Self.text(bracket, levels: 500, isClosed: true), json5: true)
        #expect(throws: DecodingError.self) { try decode(Self.text(bracket, levels: 500, isClosed: false)) }
    }

    @Test("Adjacent brackets, and brackets in strings and comments, do not count as nested")
    func innocent() throws {
        let brackets = String(repeating: "[", count: 1000)
        try decode("[" + String(repeating: "[{}],", count: 10_000) + "[]]")
        try decode(#"["\#(brackets)", "\"\#(brackets)", "\\", "\u005b\#(brackets)"]"#)
        try decode("[\"'\", \"\(brackets)\", \"'\"]")
        try decode("['\"\(brackets)', '\\'\(brackets)', \"'\(brackets)\"]", json5: true)
        try decode("[/* \" ' \(brackets) **/ 1, // ' \" \(brackets)\n 2, /**/ 3, /*/ \(brackets) */ 4]", json5: true)
    }

    @Test(
        "Brackets that a parser could be tricked to overlook are counted",
        arguments: [
            // Foundation's parser skips four bytes after \u, and so takes the quote after a backslash for the end of
            // the string.
            (#"["\uabc\", "#, false), (#"["\u\\\\\", "#, false), (#"["\x1\", "#, true), (#"['\x1\', "#, true),
            // A comment must end at the same place for the guard and for Foundation's parser.
            ("[// \" \r", true), ("[// ' \n", true), ("[/* \" */", true), ("[/*/ ' */", true), ("[/***/", true),
            ("[/* * / */", true), ("[\"\\\\\",", false), ("[\"//\",", true), ("['/*',", true), ("[\"/*\",", false),
            // In JSON these are neither comments nor quotes, so the text ends there for the decoder.
            ("[// \"\n", false), ("['\"',", false), ("]]]]]]]", false),
        ])
    func overlooked(prefix: String, json5: Bool) {
        for count in 480...515 {
            #expect(throws: DecodingError.self) {
                try decode(prefix + String(repeating: "[", count: count), json5: json5)
            }
        }
    }

    @Test("JSON5 that is not valid UTF-8 is an error")
    func invalidUTF8() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        for text in [Array("{".utf8) + [0xFF, 0xFE], Array("[1,\"".utf8) + [0xC3], Array("{a".utf8) + [0xE2, 0x80]] {
            let error = try cause { _ = try decoder.decode(Anything.self, checking: Data(text)) }
            #expect(error.kind == .invalidUnicode)
        }
    }

    @Test(
        "A number that JSON5 does not allow is an error",
        arguments: [
            "1e+", "1e-", "9E-", "0x0x", "0x", "+", "-", ".", "1.1.1", "1e5e5", "--1", "+-1", "1abc", "0x1g",
            "Infinity1", "1e",
        ])
    func numbers(text: String) throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        for text in [text, "\u{FEFF}\(text)", "[\(text)]", "{a: \(text)}", "{a1e: [\(text), 1]}"] {
            #expect(throws: DecodingError.self) { try decoder.decode(JSONValue.self, checking: Data(text.utf8)) }
            #expect(throws: DecodingError.self) { try decoder.decode(Double.self, checking: Data(text.utf8)) }
            #expect(throws: DecodingError.self) { try decoder.decode([Double].self, checking: Data(text.utf8)) }
        }
    }

    @Test("Every kind of JSON5 number is decoded, even at the end of a text, and digits in keys are not numbers")
    func goodNumbers() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let text = "{a1: 1, $e5: +2, _0x: -0x10, 'k+': .5, né: 5., é1: 1e+2, z: 1E-2, e1: 0}"
        let read = try decoder.decode([String: Double].self, checking: Data(text.utf8))
        #expect(
            read == [
                "a1": 1, "$e5": 2, "_0x": -16, "k+": 0.5, "né": 5, "é1": 100, "z": 0.01, "e1": 0,
            ])
        for (text, value) in [("1.5", 1.5), ("+2e1", 20), ("0x1F", 31), ("12 // x", 12), ("\u{FEFF}1e+2", 100)] {
            #expect(try decoder.decode(Double.self, checking: Data(text.utf8)) == value)
        }
        #expect(throws: DecodingError.self) {
            try decoder.decode(Int.self, checking: Data("+999e9999999999999999".utf8))
        }
    }

    @Test("Brackets are counted in every Unicode form that Foundation reads")
    func forms() throws {
        let text = String(repeating: "[", count: 513)
        for encoding in [String.Encoding.utf16BigEndian, .utf16LittleEndian, .utf32BigEndian, .utf32LittleEndian] {
            let data = try #require(text.data(using: encoding))
            let error = try cause { _ = try JSONDecoder().decode(Anything.self, checking: data) }
            #expect(error.kind == .tooDeep)
            #expect(error.offset == data.count / 513 * 500)
            let fine = try #require("[1, \"é\"]".data(using: encoding))
            #expect(throws: Never.self) { _ = try JSONDecoder().decode(Anything.self, checking: fine) }
        }
        // UTF-16 whose decoded text looks like UTF-16 again.
        let twice = Data([0xFF, 0xFE]) + Data(text.utf8.flatMap { [$0, 0, 0, 0] })
        let error = try cause { _ = try JSONDecoder().decode(Anything.self, checking: twice) }
        #expect(error.kind == .invalidUnicode)
        #expect(throws: DecodingError.self) {
            _ = try JSONDecoder().decode(Anything.self, checking: Data([0xEF, 0xBB, 0xBF] + Array(text.utf8)))
        }
    }

    @Test("If the outer braces may be missing, the depth is still limited, and a number may end the text")
    func topLevelDictionary() throws {
        let lax: (JSONDecoder) -> Void = { $0.assumesTopLevelDictionary = true }
        #expect(throws: DecodingError.self) {
            try decode(#""a":"# + String(repeating: "[", count: 512), change: lax)
        }
        try decode(#""a":1.5"#, change: lax)
        let decoder = JSONDecoder()
        lax(decoder)
        for text in [#""a":12"#, #"{"a":12}"#, #""a":12  "#] {
            #expect(try decoder.decode([String: Int].self, checking: Data(text.utf8)) == ["a": 12])
        }
    }

    @Test("On a thread with a stack of 128 KiB, 32 levels are decoded and deeper nesting is an error")
    func smallStack() {
        let text: @Sendable (Int) -> String = { levels in
            String(repeating: #"{"a":["#, count: levels / 2) + String(repeating: "]}", count: levels / 2)
        }
        let (count, _) = SmallStack.run {
            (1...256).reduce(into: 0) { count, half in
                let tree = try? JSONDecoder().decode(Tree.self, checking: Data(text(2 * half).utf8))
                if tree != nil { count += 2 }
            }
        }
        #expect((32...100).contains(count))
        let (_, used) = SmallStack.run { _ = try? JSONDecoder().decode(Tree.self, checking: Data(text(32).utf8)) }
        #expect(used < 64 << 10)
    }

    @Test("Any text gives a value or an error in the real decoder behind the guard", arguments: [false, true])
    func fuzz(json5: Bool) {
        var random = SplitMix(seed: json5 ? 5 : 8259)
        let words = [
            "[", "{", "]", "}", "\"", "'", "\\", "\\u", "\\u0041", "\\x", "//", "/*", "*/", "\n", "\r", ",", ":", "a",
            "0",
            "1e5", "-", ".", "+", "Infinity", "NaN", "null", "true", "\u{0}", "é", "\u{A0}", "\u{2028}", " ", "$",
            "\"a\":",
            String(repeating: "[", count: 500), String(repeating: "[", count: 12),
            String(repeating: #"{"a":"#, count: 511),
        ]
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = json5
        for round in 0..<4000 {
            decoder.assumesTopLevelDictionary = round % 8 == 0
            let count = Int.random(in: 1...20, using: &random)
            var bytes = (0..<count).flatMap { _ in Array((words.randomElement(using: &random) ?? "").utf8) }
            if round % 2 == 0 { bytes[bytes.count / 2] = .random(in: 0...255, using: &random) }
            _ = try? decoder.decode(Anything.self, checking: Data(bytes))
            _ = try? decoder.decode(JSONValue.self, checking: Data(bytes))
        }
    }
}
