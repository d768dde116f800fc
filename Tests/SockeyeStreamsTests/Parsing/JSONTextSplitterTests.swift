import SockeyeCore
import SockeyeHTTP
import SockeyeStreams
import SockeyeTestSupport
import Testing

@Suite("The splitter of JSON texts") struct JSONTextSplitterTests {
    private func split(_ text: String, limit: Int = 1 << 20) -> (whole: Splitting<[UInt8]>, isSame: Bool) {
        Splitting.everyWay(Array(text.utf8)) { .texts($0, limit: limit) }
    }

    @Test(
        "the splitter finds one text per line and the elements of sequences, wherever the input is cut",
        arguments: [
            ("", []), ("\n", []), ("{}\n", ["{}"]), ("{}", ["{}"]), ("1\r\n2\r\n", ["1", "2"]),
            ("\n \t\r\n{\"a\":1}\n\n[]\n  ", ["{\"a\":1}", "[]"]), ("true", ["true"]),
            ("\u{1E}{}\n", ["{}"]), ("\u{1E}{}\n\u{1E}[1]\n", ["{}", "[1]"]), ("\u{1E}", []),
            ("\u{1E}\u{1E}\n\u{1E}", []),
            ("\u{1E}{\n\"a\":\n[1,\n2]}\n\u{1E}3\n", ["{\n\"a\":\n[1,\n2]}", "3"]),
            ("\u{1E}\"a}\\\"]\n\"\n\u{1E}\"\"\n", ["\"a}\\\"]\n\"", "\"\""]),
            ("\u{1E} null \n \n\u{1E}\ntrue\r\n", ["null", "true"]), ("\u{1E}{}", ["{}"]),
            ("\u{1E}{}\u{1E}[]", ["{}", "[]"]),
            ("\u{1E}\"}\"\u{1E}[\"[\"]\n", ["\"}\"", "[\"[\"]"]),
            // The decoder reports invalid JSON, not the splitter.
            ("{\n]\n", ["{", "]"]), ("\u{1E}{\"a\u{1E}1\n", ["{\"a", "1"]), ("\u{1E}[1", ["[1"]), ("\u{1E}}\n", ["}"]),
        ])
    func texts(text: String, texts: [String]) {
        let (whole, isSame) = split(text)
        #expect(whole.elements == texts.map { Array($0.utf8) })
        #expect(whole.fault == nil)
        #expect(isSame)
    }

    @Test(
        "the splitter names the fault of malformed sequences, wherever the input is cut",
        arguments: [
            ("\u{1E}12", .truncatedText), ("\u{1E}tru\u{1E}1\n", .truncatedText), ("\u{1E}{}\nx", .bytesBetweenTexts),
            ("\u{1E}{}x\n", .bytesBetweenTexts), ("\u{1E}1\n2\n", .bytesBetweenTexts),
            ("\u{1E}1 2\n", .bytesBetweenTexts),
            ("\u{1E}\"a\"b", .bytesBetweenTexts), ("123456789", .textTooLong(limit: 8)),
            ("\u{1E}123456789", .textTooLong(limit: 8)), ("\u{1E}[1,2,3,4,5]\n", .textTooLong(limit: 8)),
            ("1\n{\"a\":\"bcd\"}\n", .textTooLong(limit: 8)),
        ] as [(String, StreamFault)])
    func faults(text: String, fault: StreamFault) {
        let (whole, isSame) = split(text, limit: 8)
        #expect(whole.fault == fault)
        #expect(isSame)
    }

    @Test(
        "the splitter accepts texts up to its limit",
        arguments: ["12345678", "12345678\n", "\u{1E}12345678\n", "\u{1E}[1,2,34]\n"])
    func limit(text: String) {
        let (whole, isSame) = split(text, limit: 8)
        #expect(whole.fault == nil)
        #expect(whole.elements.map(\.count) == [8])
        #expect(isSame)
    }

    @Test(
        "the splitter returns an element at its line feed, before the next one begins",
        arguments: ["{\"a\":[1]}", "7", "\"x\"", "null"])
    func latency(text: String) throws {
        var splitter = JSONTextSplitter(limit: 100)
        splitter.append(Bytes("\u{1E}" + text))
        #expect(try splitter.next() == nil)
        splitter.append("\n".bytes)
        #expect(try splitter.next() == Bytes(text))
        #expect(splitter.number == 1)
        #expect(try splitter.finish() == nil)
    }
}
