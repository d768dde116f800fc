import SockeyeHTTP
import Testing

/// File names that are safe to create.
@Suite struct SuggestedFileNameTests {
    private func name(_ field: String?, _ url: String = "https://example.com/") throws -> String {
        SuggestedFileName.make(field.map { ContentDisposition($0) }, url: try HTTPURL(url))
    }

    private func name(proposed: String) throws -> String {
        let escaped = proposed.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return try name("attachment; filename=\"\(escaped)\"")
    }

    @Test(
        "paths, invisible characters, outer dots and device names in a proposed name are made harmless",
        arguments: [
            ("plans.pdf", "plans.pdf"), ("a b.txt", "a b.txt"), ("/etc/passwd", "passwd"), ("../../x", "x"),
            ("..\\..\\x.exe", "x.exe"), ("C:\\a\\b.txt", "b.txt"), (".bashrc", "bashrc"), ("...x", "x"),
            (" .. x . ", "x"), ("a\u{0}b\u{1F}c\u{7F}\u{85}d", "abcd"), ("a\r\nb", "ab"),
            ("invoice\u{202E}fdp.exe", "invoicefdp.exe"), ("con", "_con"), ("NUL.txt", "_NUL.txt"),
            ("lpt1 .a.b", "_lpt1 .a.b"), ("console", "console"), ("naïve €.txt", "naïve €.txt"), ("x/", "download"),
            ("..", "download"), (".", "download"), ("", "download"), ("/", "download"), ("\u{200B}", "download"),
            ("a\"b", "a\"b"), ("~", "~"), ("-rf", "_-rf"), ("--", "_--"), (".-rf ", "_-rf"), ("a-b", "a-b"),
        ])
    func sanitized(proposal: String, expected: String) throws {
        #expect(try name(proposed: proposal) == expected)
    }

    @Test(
        "a server cannot choose the extensions of files that keep the state of a download",
        arguments: [
            ("tool.sockeye-resume", "tool.sockeye-resume_"), ("x.PART", "x.PART_"), ("x.resume.", "x.resume_"),
            (".part", "part"), ("a.part.zip", "a.part.zip"), ("resume", "resume"),
            ("\u{111C2}.part", "\u{111C2}.part_"),
            (String(repeating: "a", count: 300) + ".part", String(repeating: "a", count: 249) + ".part_"),
        ])
    func states(proposal: String, expected: String) throws {
        let name = try name(proposed: proposal)
        #expect(name == expected && name.utf8.count <= SuggestedFileName.maximumLength)
        #expect(try self.name(nil, "https://example.com/x.part") == "x.part_")
    }

    @Test(
        "a name is sanitized even if combining marks follow its dots and dashes",
        arguments: [
            ".\u{301}bashrc", ". \u{20E3}.\u{301}x", "-\u{301}rf", "x.\u{301}", "nul.\u{301}txt", ".\u{FE0F}.\u{200D}x",
        ])
    func combined(proposal: String) throws {
        let name = try name(proposed: proposal)
        let first = try #require(name.utf8.first)
        #expect(first != UInt8(ascii: ".") && first != UInt8(ascii: "-"), "\(name.debugDescription)")
        #expect(name.utf8.last != UInt8(ascii: "."))
        #expect(!proposal.hasPrefix("nul") || name.hasPrefix("_"))
    }

    @Test(
        "without a proposal the name is the last segment of the URL, else `download`",
        arguments: [
            ("https://example.com/a/big.iso?x=1#y", "big.iso"), ("https://example.com/a%20b.txt", "a b.txt"),
            ("https://example.com/a%2Fb", "b"), ("https://example.com/%2e%2e%2fx", "x"),
            ("https://example.com/a/", "download"), ("https://example.com", "download"),
            ("https://example.com/%00", "download"), ("https://example.com/%E2%82%AC", "€"),
        ])
    func fromURL(url: String, expected: String) throws {
        #expect(try name(nil, url) == expected)
        #expect(try name("attachment", url) == expected)
        #expect(try name("attachment; filename=\"..\"", url) == expected)
    }

    @Test("long names are cut between characters and keep their extension")
    func shortened() throws {
        let plain = try name(proposed: String(repeating: "a", count: 300) + ".tar.gz")
        #expect(plain == String(repeating: "a", count: 252) + ".gz")
        // A flag is one character of eight bytes.
        let wide = try name(proposed: String(repeating: "🇩🇪", count: 40) + ".png")
        #expect(wide == String(repeating: "🇩🇪", count: 31) + ".png")
        let longExtension = try name(proposed: "a." + String(repeating: "b", count: 300))
        #expect(longExtension.utf8.count == 255)
        // A single character that is longer than the maximum length of a name.
        let stack = "e" + String(repeating: "\u{301}", count: 200)
        #expect(try name(proposed: stack) == "e" + String(repeating: "\u{301}", count: 127))
        #expect(try name(proposed: stack + ".png") == "e" + String(repeating: "\u{301}", count: 125) + ".png")
    }

    @Test(
        "a shortened name is checked again",
        arguments: [
            "a" + String(repeating: "\u{301}", count: 130) + ".-rf",
            "a" + String(repeating: "\u{301}", count: 130) + ".con",
            "con" + String(repeating: " ", count: 250) + "x.txt",
            "a" + String(repeating: "\u{301}", count: 125) + ".part",
            "-" + String(repeating: "\u{301}", count: 125) + ".part",
        ])
    func checkedAfterShortening(proposal: String) throws {
        let name = try name(proposed: proposal)
        let stem = name.utf8.prefix { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: " ") }
        #expect(!stem.isEmpty && !stem.elementsEqual("con".utf8), "\(name.debugDescription)")
        #expect(name.utf8.first != UInt8(ascii: "-") && !name.utf8.suffix(5).elementsEqual(".part".utf8))
        #expect(name.utf8.count <= 255)
    }

    @Test("fields in UTF-8 and in ISO-8859-1 are both read correctly")
    func bytes() {
        let utf8 = ContentDisposition(fieldBytes: Array("attachment; filename=\"ä.txt\"".utf8))
        let latin = ContentDisposition(fieldBytes: Array("attachment; filename=".utf8) + [0xE4] + Array(".txt".utf8))
        #expect(utf8.fileName == "ä.txt" && latin.fileName == "ä.txt")
    }

    @Test("an extended name in invalid UTF-8 is ignored, and of thousands of parameters only 64 are kept")
    func hostile() {
        let bad = ContentDisposition("attachment; filename=plain; filename*=UTF-8''%FF%FE")
        #expect(bad.fileName == "plain")
        let many = (0..<10_000).map { "p\($0)=1" }.joined(separator: ";")
        #expect(ContentDisposition("attachment;" + many).parameters.count <= 64)
        #expect(ContentDisposition("").type == "")
        #expect(ContentDisposition("attachment; filename=\"unclosed").fileName == "unclosed")
    }
}
