import SockeyeSerialization
import Testing

/// The texts that RFC 8259 accepts and refuses, one row for each rule.
@Suite struct JSONGrammarTests {
    @Test(
        "A text that the grammar allows is read",
        arguments: [
            // Values alone, and blanks around everything
            ("null", .null), ("true", true), ("false", false), ("0", 0), ("\"\"", ""), ("[]", []), ("{}", [:]),
            (" \t\r\n[ \t\r\n1 \t\r\n, \t\r\n2 \t\r\n] \t\r\n", [1, 2]), ("{ \"a\" \n:\r1\t}", ["a": 1]),
            ("[ ]", []), ("{\n}", [:]), ("[[],{},[{}]]", [[], [:], [[:]]]),
            ("{\"a\":{\"b\":[null]},\"c\":\"d\"}", ["a": ["b": [nil]], "c": "d"]), ("{\"\":0}", ["": 0]),
            // Numbers
            ("-1", -1), ("10", 10), ("1.5", 1.5), ("-0.25", -0.25), ("1e2", 100), ("1E+2", 100), ("1e-2", 0.01),
            ("0e0", 0), ("0.0", 0), ("-0", 0), ("1.0e00001", 10), ("9223372036854775807", 9_223_372_036_854_775_807),
            ("-9223372036854775808", -9_223_372_036_854_775_808),
            // Strings
            ("\"a b\"", "a b"), ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{C}\n\r\t"), ("\"\\u0041\"", "A"),
            ("\"\\u00e9\\u00E9\"", "éé"), ("\"\\ud83d\\uDE00\"", "😀"), ("\"\\u0000\"", "\0"), ("\"é😀\"", "é😀"),
            ("\"\u{7F}\u{2028}\u{FEFF}\u{FFFF}\"", "\u{7F}\u{2028}\u{FEFF}\u{FFFF}"), ("\"a\\nb\\nc\"", "a\nb\nc"),
            ("\"\\\\u0041\"", "\\u0041"), ("\"\\uFFFE\\uD7FF\\uE000\"", "\u{FFFE}\u{D7FF}\u{E000}"),
            ("\"//comment\"", "//comment"), ("{\"\\u0061\":1}", ["a": 1]),
        ] as [(String, JSONValue)]
    )
    func accepts(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(
        "A text that the grammar forbids is refused with the kind and the place of the error",
        arguments: [
            ("", .empty, 0), (" \n\t", .empty, 3),
            // Containers
            ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3), ("{", .unexpectedEnd, 1),
            ("{\"a\"", .unexpectedEnd, 4), ("{\"a\":", .unexpectedEnd, 5), ("{\"a\":1", .unexpectedEnd, 6),
            ("{\"a\":1,", .unexpectedEnd, 7), ("]", .unexpectedCharacter, 0), ("[1,]", .unexpectedCharacter, 3),
            ("[,1]", .unexpectedCharacter, 1), ("[1,,2]", .unexpectedCharacter, 3), ("[1 2]", .unexpectedCharacter, 3),
            ("[1}", .unexpectedCharacter, 2), ("{\"a\":1]", .unexpectedCharacter, 6),
            ("{1:1}", .unexpectedCharacter, 1),
            ("{a:1}", .unexpectedCharacter, 1), ("{'a':1}", .unexpectedCharacter, 1), ("{,}", .unexpectedCharacter, 1),
            ("{\"a\":1,}", .unexpectedCharacter, 7), ("{\"a\" 1}", .unexpectedCharacter, 5),
            ("{\"a\":}", .unexpectedCharacter, 5), ("{\"a\"::1}", .unexpectedCharacter, 5),
            ("{\"a\":1 \"b\":2}", .unexpectedCharacter, 7), ("[\"a\":1]", .unexpectedCharacter, 4),
            ("{\"a\",1}", .unexpectedCharacter, 4), ("{\"a\"}", .unexpectedCharacter, 4),
            // More than a value
            ("1 2", .trailingContent, 2), ("{}}", .trailingContent, 2), ("[]]", .trailingContent, 2),
            ("null,", .trailingContent, 4), ("[1]x", .trailingContent, 3), ("\"a\"b", .trailingContent, 3),
            ("12\0", .trailingContent, 2), ("truefalse", .trailingContent, 4), ("[] // note", .trailingContent, 3),
            // Words
            ("nul", .unexpectedEnd, 3), ("nulL", .unexpectedCharacter, 3), ("True", .unexpectedCharacter, 0),
            ("tru]", .unexpectedCharacter, 3), ("NaN", .unexpectedCharacter, 0), ("Infinity", .unexpectedCharacter, 0),
            ("undefined", .unexpectedCharacter, 0), ("[/*a*/1]", .unexpectedCharacter, 1),
            ("<html>", .unexpectedCharacter, 0), ("\u{A0}1", .unexpectedCharacter, 0),
            ("\u{B}1", .unexpectedCharacter, 0),
            // Numbers
            ("-", .unexpectedEnd, 1), ("1.", .unexpectedEnd, 2), ("1e", .unexpectedEnd, 2), ("1e+", .unexpectedEnd, 3),
            ("01", .invalidNumber, 0), ("-01", .invalidNumber, 1), ("00", .invalidNumber, 0),
            ("[-]", .invalidNumber, 2),
            ("[1.]", .invalidNumber, 3), ("[1.e1]", .invalidNumber, 3), ("[1e]", .invalidNumber, 3),
            ("[1e1.5]", .unexpectedCharacter, 4), ("-Infinity", .invalidNumber, 1), ("--1", .invalidNumber, 1),
            ("+1", .unexpectedCharacter, 0), (".5", .unexpectedCharacter, 0), ("0x1F", .trailingContent, 1),
            ("1_000", .trailingContent, 1), ("１", .unexpectedCharacter, 0), ("[1+2]", .unexpectedCharacter, 2),
            // Strings
            ("\"", .unexpectedEnd, 1), ("\"abc", .unexpectedEnd, 4), ("\"abc\\", .unexpectedEnd, 5),
            ("\"\\u00", .unexpectedEnd, 5), ("\"\\ud83d", .unexpectedEnd, 7), ("\"\\ud83d\\", .unexpectedEnd, 8),
            ("\"a\nb\"", .controlCharacter, 2), ("\"a\u{1F}\"", .controlCharacter, 2), ("\"\0\"", .controlCharacter, 1),
            ("\"é\\t\t\"", .controlCharacter, 5), ("\"\\x41\"", .invalidEscape, 1), ("\"\\'\"", .invalidEscape, 1),
            ("\"\\U0041\"", .invalidEscape, 1), ("\"\\u00g0\"", .invalidEscape, 1), ("\"\\u 041\"", .invalidEscape, 1),
            ("\"\\u{41}\"", .invalidEscape, 1), ("\"a\\é\"", .invalidEscape, 2), ("'a'", .unexpectedCharacter, 0),
            ("\"\\ud83d\"", .loneSurrogate, 1), ("\"\\ude00\"", .loneSurrogate, 1), ("\"\\ud83dx\"", .loneSurrogate, 1),
            ("\"\\ud83d\\n\"", .loneSurrogate, 1), ("\"\\ud83d\\u0041\"", .loneSurrogate, 1),
            ("\"\\ud83d\\ud83d\"", .loneSurrogate, 1), ("\"\\ude00\\ud83d\"", .loneSurrogate, 1),
        ] as [(String, JSONError.Kind, Int)]
    )
    func refuses(text: String, kind: JSONError.Kind, offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
        #expect(error?.kind == kind, "\(String(describing: error))")
        #expect(error?.offset == offset, "\(String(describing: error))")
    }

    @Test(
        "Bytes that are not UTF-8 are refused at the first invalid sequence",
        arguments: [
            ([0x22, 0x61, 0xFF, 0x22], 2), ([0x22, 0xC3, 0x22], 1), ([0x22, 0xC0, 0xAF, 0x22], 1),  // overlong
            ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),  // a surrogate
            ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1),  // beyond U+10FFFF
            ([0x22, 0x80, 0x22], 1), ([0x22, 0x5C, 0x6E, 0xE2, 0x82, 0x22], 3),
            ([0x22, 0x61, 0xE2, 0x82, 0x5C, 0x6E, 0x22], 2),
            ([0x7B, 0x22, 0xE9, 0x22, 0x3A, 0x31, 0x7D], 2),
            ([0xFF, 0xFE, 0x00, 0xDC], 2), ([0xFF, 0xFE, 0x20, 0x00, 0x00, 0xDC], 4),  // a surrogate in UTF-16
        ] as [([UInt8], Int)]
    )
    func invalidUTF8(bytes: [UInt8], offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes) }
        #expect(error?.kind == .invalidUnicode)
        #expect(error?.offset == offset)
    }

    @Test("The first fault is reported, even if bytes after it are not UTF-8")
    func firstFault() {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array("<p>caf".utf8) + [0xE9]) }
        #expect(error?.kind == .unexpectedCharacter)
        #expect(error?.message == "a value expected")
    }

    @Test("Top-level scalars can be refused")
    func fragments() throws {
        let strict = JSONValue.ReadingOptions(allowsFragments: false)
        #expect(try JSONValue(parsing: "[1]", options: strict) == [1])
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: " 1", options: strict) }
        #expect(error?.kind == .fragment)
        #expect(error?.offset == 1)
    }
}
