import Foundation
import SockeyeSerialization
import Testing

/// Typed reading by `JSONDecoder` and untyped reading by `JSONValue` accept the same texts (RFC 8259), whatever
/// Foundation's decoder alone accepts.
@Suite("Agreement of typed and untyped JSON reading") struct JSONAgreementTests {
    private enum Value: Decodable, Equatable {
        case list([Value]), members([String: Value]), number(Double), text(String), truth(Bool), null

        init(from decoder: any Decoder) throws {
            let single = try decoder.singleValueContainer()
            if single.decodeNil() {
                self = .null
            } else if let truth = try? single.decode(Bool.self) {
                self = .truth(truth)
            } else if let text = try? single.decode(String.self) {
                self = .text(text)
            } else if let number = try? single.decode(Double.self) {
                self = .number(number)
            } else if let list = try? single.decode([Value].self) {
                self = .list(list)
            } else {
                self = .members(try single.decode([String: Value].self))
            }
        }
    }

    @Test(
        "typed and untyped reading refuse invalid JSON",
        arguments: [
            "[1,]", "[1,2,]", #"{"a":1,}"#, "[1 ,\n\t ]", #"{"a":[1,]}"#, #"[{"a":1,},2]"#, "[,]", "[1,,2]", #"["",]"#,
            #"["\\",]"#, "[0e]", "[0e+]", "[00e1]", "[01]", "[0e1.5]", "[0e1e1]", "0e1x", "[1.]", "[0e1",
            "[\"a long text before it, with, commas\"  ,                   ]",
        ])
    func refused(text: String) {
        #expect(throws: (any Error).self) { try JSONValue(parsing: text) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Value.self, checking: Data(text.utf8)) }
    }

    @Test(
        "typed and untyped reading give the same value for valid JSON",
        arguments: [
            ("[0e1]", .list([.number(0)])), ("[0E1]", .list([.number(0)])), ("0e1", .number(0)),
            ("[0e400]", .list([.number(0)])), ("[-0e1]", .list([.number(0)])),
            ("[0e+1,0e-1]", .list([.number(0), .number(0)])),
            (#"{"a":0e1,"b":[0E22 , 10e1]}"#, .members(["a": .number(0), "b": .list([.number(0), .number(100)])])),
            (#"["0e1",",]","\",}"]"#, .list([.text("0e1"), .text(",]"), .text("\",}")])), ("[]", .list([])),
            (#"{"0e1":[ ]}"#, .members(["0e1": .list([])])), ("[0.0e1,20e1]", .list([.number(0), .number(200)])),
            (
                #"["a text that is longer than a word of the machine, ", 0e1]"#,
                .list([.text("a text that is longer than a word of the machine, "), .number(0)])
            ),
        ] as [(String, Value)])
    private func accepted(text: String, value: Value) throws {
        for encoding in [String.Encoding.utf8, .utf16LittleEndian, .utf32BigEndian] {
            let data = try #require(text.data(using: encoding))
            #expect(try JSONDecoder().decode(Value.self, checking: data) == value)
            let untyped = try JSONValue(parsing: data)
            #expect(try untyped.decoded(as: Value.self) == value)
        }
    }

    /// A type that reads no value.
    private struct Anything: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    @Test(
        "typed and untyped reading throw the same error for invalid JSON, even if the type reads no value",
        arguments: [
            "", " \n", "[-]", "[-2.]", "[.5]", "[-.5]", "[0.3e]", "[1.0e-]", "[1eE2]", "[+1]", "[0x1]", "[NaN]",
            "nul", "[truth]", "{1:1}", #"["\x"]"#, #"["\U0041"]"#, #"["\u00g1"]"#, #"["\u12"]"#, "[\"a\tb\"]",
            "[\"\u{0}\"]", #"["\ud800"]"#,
            #"["\udc00\ud800"]"#, #"["\ud800\u0041"]"#, #"["\"#, #"["a"#, #"{"\q":1}"#, "{\"a\tb\":1}",
            #"{"a"}"#, #"{"a" 1}"#, #"["a" "b"]"#, "[1}",
            #"{"a":1]"#, "]", "1 2", "[] []", "[1]/**/", "['a']", "[\u{FEFF}1]",
        ])
    func unseen(text: String) throws {
        let untyped = try #require(throws: JSONError.self) { try JSONValue(parsing: text) }
        let typed = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode(Anything.self, checking: Data(text.utf8))
        }
        guard case .dataCorrupted(let context) = typed else {
            throw typed
        }
        #expect(context.underlyingError as? JSONError == untyped)
    }

    @Test("typed and untyped reading refuse a string that is not valid UTF-8, even if the type reads no value")
    func unseenBytes() {
        for bytes in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]] {
            let text = Array("[\"long enough for a word".utf8) + bytes + Array("\"]".utf8)
            #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Anything.self, checking: Data(text)) }
        }
    }

    @Test("a string's end, escape or invalid byte is found at any distance from its opening quote")
    func distances() throws {
        for count in 0..<40 {
            let plain = String(repeating: "é", count: count / 2) + String(repeating: "a", count: count - count / 2)
            for (end, text) in [
                ("", plain), ("\\n", plain + "\n"), ("\\u00e9z", plain + "éz"), ("\u{7F}~", plain + "\u{7F}~"),
            ] {
                let json = "[\"\(plain)\(end)\",\"\(plain)\(end)\"]"
                #expect(try JSONValue(parsing: json) == .array([.string(text), .string(text)]))
                let typed = try JSONDecoder().decode([String].self, checking: Data(json.utf8))
                #expect(typed == [text, text])
            }
            for end in ["\u{1F}", "\n", "\\", "\\a"] {
                let json = "[\"\(plain)\(end)\",\"\(plain)\"]"
                #expect(throws: JSONError.self) { try JSONValue(parsing: json) }
                #expect(throws: DecodingError.self) {
                    try JSONDecoder().decode(Anything.self, checking: Data(json.utf8))
                }
            }
        }
    }

    @Test("the outer braces may be missing if the decoder assumes a dictionary, but every other rule applies")
    func missingBraces() throws {
        let decoder = JSONDecoder()
        decoder.assumesTopLevelDictionary = true
        for text in [#""a":[1,{"b":2}] , "c":0e1"#, #"{"a":[1]}"#, #" "a" : 1 "#] {
            #expect(throws: Never.self) { try decoder.decode(Anything.self, checking: Data(text.utf8)) }
        }
        for text in [#""a":1,"#, #""a":1}"#, #""a":-2."#, #""a""#, "[1]", "1", #"{"a":1"#, #""a":"\x""#] {
            #expect(throws: DecodingError.self) { try decoder.decode(Anything.self, checking: Data(text.utf8)) }
        }
    }

    @Test("a bracket must match the one that was opened, at any depth")
    func pairs() {
        for levels in [1, 2, 63, 64, 65, 127, 128, 129, 192, 200] {
            let isObject = (0..<levels).map { $0 % 3 == 1 }
            let opening = isObject.map { $0 ? #"{"a":"# : "[" }.joined() + "1"
            let closing = isObject.reversed().map { $0 ? "}" : "]" }
            #expect(throws: Never.self) {
                try JSONDecoder().decode(Anything.self, checking: Data((opening + closing.joined()).utf8))
            }
            for index in [0, levels / 2, levels - 1] {
                var wrong = closing
                wrong[index] = wrong[index] == "]" ? "}" : "]"
                #expect(throws: DecodingError.self) {
                    try JSONDecoder().decode(Anything.self, checking: Data((opening + wrong.joined()).utf8))
                }
            }
        }
    }

    @Test("the error for a trailing comma has the comma's line and column")
    func place() throws {
        let error = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode(Value.self, checking: Data("[1,\n2 , ]".utf8))
        }
        guard case .dataCorrupted(let context) = error, let cause = context.underlyingError as? JSONError else {
            throw error
        }
        #expect((cause.line, cause.column) == (2, 5))
        #expect(cause.kind == .unexpectedCharacter)
    }

    @Test("a trailing comma is accepted if JSON5 is allowed")
    func json5() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        #expect(try decoder.decode(Value.self, checking: Data("[1,]".utf8)) == .list([.number(1)]))
    }
}
