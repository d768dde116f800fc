import SockeyeCore
import SockeyeHTTP
import SockeyeStreams
import Testing

@Suite("The splitter of lines") struct LineSplitterTests {
    private func split(_ text: String, limit: Int = 1 << 20) -> (whole: Splitting<[UInt8]>, isSame: Bool) {
        let content = Array(text.utf8)
        let (whole, isSame) = Splitting.everyWay(content) { .lines($0, limit: limit) }
        let lent = Splitting.everyWay(content) { .lentLines($0, limit: limit) }
        return (whole, isSame && lent.isSame && lent.whole == whole)
    }

    @Test(
        "lines end at LF and CRLF, wherever the input is cut into chunks",
        arguments: [
            ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\r\n", ["a"]), ("a\nb", ["a", "b"]), ("\n", [""]),
            ("\r\n", [""]), ("\n\n", ["", ""]), ("a\n\nb\r\n\r\nc", ["a", "", "b", "", "c"]),
            ("a\rb\n", ["a\rb"]), ("a\r\r\n", ["a\r"]), ("\r", [""]), ("a\r", ["a"]), ("\r\r\n\r", ["\r", ""]),
            ("\u{FEFF}a\n", ["\u{FEFF}a"]), ("ä€😀\nü\r\n", ["ä€😀", "ü"]), ("a\0b\n", ["a\0b"]),
            ("a\u{2028}b\u{85}c\u{B}d\u{C}e\n", ["a\u{2028}b\u{85}c\u{B}d\u{C}e"]),
        ])
    func lines(text: String, lines: [String]) {
        let (whole, isSame) = split(text)
        #expect(whole.elements == lines.map { Array($0.utf8) })
        #expect(whole.fault == nil)
        #expect(isSame)
    }

    @Test(
        "the splitter keeps exactly to its limit, which excludes line ends, wherever the input is cut into chunks",
        arguments: [
            ("abcd\n", true), ("abcd\r\n", true), ("abcd", true), ("abcd\r", true), ("abcde", false),
            ("abcde\n", false), ("abcde\r\n", false), ("abcd\r\r\n", false), ("x\nabcde\n", false),
            ("abcd\nefgh", true),
        ])
    func limit(text: String, fits: Bool) {
        let (whole, isSame) = split(text, limit: 4)
        #expect(whole.fault == (fits ? nil : .lineTooLong(limit: 4)))
        #expect(isSame)
    }

    @Test("the splitter refuses an endless line as soon as it is too long, and keeps no more than the limit")
    func endless() {
        var splitter = LineSplitter(limit: 1000)
        let chunk = Bytes([UInt8](repeating: 0x78, count: 400))
        var chunks = 0
        #expect(throws: StreamFault.lineTooLong(limit: 1000)) {
            while chunks < 1_000_000 {
                chunks += 1
                splitter.append(chunk)
                _ = try splitter.next()
            }
        }
        #expect(chunks == 3)
    }

    @Test("the text of a line replaces invalid UTF-8, and the bytes stay as received")
    func views() throws {
        var splitter = LineSplitter(limit: 100)
        splitter.append([0x61, 0xC3, 0x0A, 0xF0, 0x9F, 0x0A, 0x62])
        var texts: [String] = []
        var lent: [Int] = []
        while try splitter.next() {
            texts.append(splitter.text)
            splitter.withSpan { lent.append($0.count) }
        }
        splitter.append([0x63, 0xFF, 0x0D, 0x0A])
        while try splitter.next() {
            texts.append(splitter.text)
            splitter.withSpan { lent.append($0.count) }
        }
        #expect(texts == ["a\u{FFFD}", "\u{FFFD}", "bc\u{FFFD}"])
        #expect(lent == [2, 2, 3])
        #expect(splitter.number == 3)
    }

    @Test("the splitter returns lines of a chunk without copying them")
    func slices() throws {
        let chunk = Bytes("one\ntwo\n")
        var splitter = LineSplitter(limit: 100)
        splitter.append(chunk)
        let start = address(of: chunk)
        #expect(try splitter.next())
        #expect(address(of: splitter.bytes) == start)
        #expect(try splitter.next())
        #expect(address(of: splitter.bytes) == start + 4)
    }

    private func address(of bytes: Bytes) -> UInt { unsafe bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
}
