import Testing

@testable import SockeyeHTTP

/// The grammar of RFC 9110 5.6, and the effect of each tolerance of the scanner.
@Suite("FieldScanner") struct FieldScannerTests {
    private func members(_ text: String, quoted: Bool = false) -> [String] {
        var scan = FieldScanner(text.utf8Span.span)
        var members: [String] = []
        while let range = quoted ? scan.quotedMember() : scan.member() { members.append(scan.string(range)) }
        return members
    }

    private func quotedString(_ text: String, _ tolerance: FieldScanner.Tolerance = []) -> String? {
        var scan = FieldScanner(text.utf8Span.span, tolerance)
        return scan.quotedString()
    }

    private func parameter(_ text: String, _ tolerance: FieldScanner.Tolerance = []) -> [String]? {
        var scan = FieldScanner(text.utf8Span.span, tolerance)
        return scan.parameter().map { [scan.string($0.name), $0.value] }
    }

    @Test(
        "the scanner of a list skips empty members, and the blanks around other members",
        arguments: [
            ("", []), (" ,\t, ", []), ("a", ["a"]), (" a ,, b c\t,", ["a", "b c"]), ("\"a,b\"", ["\"a", "b\""]),
        ] as [(String, [String])])
    func lists(text: String, expected: [String]) {
        #expect(members(text) == expected)
    }

    @Test(
        "the scanner does not divide a list at a comma inside a quoted string",
        arguments: [
            ("\"a,b\", c", ["\"a,b\"", "c"]), ("a=\"\\\",\", b", ["a=\"\\\",\"", "b"]), ("\"a, b", ["\"a, b"]),
            (",, a ,", ["a"]), ("\"a\\", ["\"a\\"]),
        ] as [(String, [String])])
    func quotedLists(text: String, expected: [String]) {
        #expect(members(text, quoted: true) == expected)
    }

    @Test("the scanner removes quotes and escapes, and refuses an unclosed string")
    func quotedStrings() {
        #expect(quotedString(#""a b""#) == "a b")
        #expect(quotedString(#""a\"\\\b"c"#) == #"a"\b"#)
        #expect(quotedString("\"\"") == "")
        #expect(quotedString("a") == nil)
        #expect(quotedString(#""a"#) == nil)
        #expect(quotedString(#""a\""#) == nil)
        #expect(quotedString(#""a\"#) == nil)
    }

    @Test("with `unclosedQuotes` the end of the text also ends a quoted string")
    func unclosedQuotes() {
        #expect(quotedString(#""a"#, .unclosedQuotes) == "a")
        #expect(quotedString(#""a\"#, .unclosedQuotes) == #"a\"#)
        #expect(quotedString("\"", .unclosedQuotes) == "")
    }

    @Test("with `bareBackslashes` a backslash stays unless it escapes a quote")
    func bareBackslashes() {
        let tolerance: FieldScanner.Tolerance = [.unclosedQuotes, .bareBackslashes]
        #expect(quotedString(#""C:\a\\b""#, tolerance) == #"C:\a\\b"#)
        #expect(quotedString(#""a\"b""#, tolerance) == #"a"b"#)
        #expect(quotedString(#""a\"; x=1"#, tolerance) == #"a\"#)
        #expect(quotedString(#""a\""#, tolerance) == #"a\"#)
    }

    @Test("the scanner reads parameters, and a tolerance drops blanks around the equals sign or line ends")
    func parameters() {
        #expect(parameter(#" a="b;c" d;e=f"#) == ["a", "b;c"])
        #expect(parameter("a=b ;") == ["a", "b"])
        #expect(parameter("a = b") == ["a ", " b"])
        #expect(parameter("a = b", .blanksAroundEquals) == ["a", "b"])
        #expect(parameter("\r\na=b\r\n", .lineEndsAsBlanks) == ["a", "b"])
        #expect(parameter("a;b=c") == nil)
        #expect(parameter(#"a="b"#) == nil)
    }

    @Test("the scanner reads a token68 only if the member ends after it")
    func token68() {
        func token(_ text: String) -> String? {
            var scan = FieldScanner(text.utf8Span.span)
            guard let range = scan.token68() else { return nil }
            return scan.string(range)
        }
        #expect(token("YWJj/+==") == "YWJj/+==")
        #expect(token("a-._~ , b") == "a-._~")
        #expect(token("a=b") == nil)
        #expect(token("=") == nil)
    }

    @Test("the scanner reads numbers of digits up to 2^62")
    func numbers() {
        func number(_ text: String) -> Int? {
            var scan = FieldScanner(text.utf8Span.span)
            return scan.number()
        }
        #expect(number("0042x") == 42)
        #expect(number("4611686018427387904") == 1 << 62)
        #expect(number("4611686018427387905") == nil)
        #expect(number("9223372036854775807") == nil)
        #expect(number("9223372036854775808") == nil)
        #expect(number("") == nil)
        #expect(number("-1") == nil)
    }

    @Test("the scanner reads the values that FieldText writes")
    func values() {
        for text in ["", "a", "a b", #"a"\b"#, "\u{301}\"\u{301}", "é"] {
            #expect(quotedString(FieldText.quoted(text)) == text)
            #expect(parameter("a=" + FieldText.parameterValue(text)) == ["a", text])
        }
        #expect(FieldText.parameterValue("a.b") == "a.b")
        #expect(FieldText.parameterValue("") == "\"\"")
    }
}
