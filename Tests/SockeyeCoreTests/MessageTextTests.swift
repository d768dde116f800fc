import SockeyeCore
import Testing

@Suite("Texts of peers in messages") struct MessageTextTests {
    @Test("the start of a text is limited even if one character has a million scalars")
    func start() {
        let text = "a" + String(repeating: "\u{301}", count: 1_000_000)
        #expect(text.start(ofScalars: 40).utf8.count == 79)
        #expect("abc".start(ofScalars: 2) == "ab" && "abc".start(ofScalars: 9) == "abc" && "".start(ofScalars: 1) == "")
    }

    @Test(
        "control characters, line separators and invisible characters are replaced",
        arguments: [
            ("a\r\nb\t", "a␍␊b␉"), ("\u{0}\u{1B}[0m\u{7F}", "␀␛[0m␡"), ("a\u{85}b\u{9B}1m", "a\u{FFFD}b\u{FFFD}1m"),
            ("\u{2028}\u{2029}", "\u{FFFD}\u{FFFD}"), ("\u{202E}\u{200B}x", "\u{FFFD}\u{FFFD}x"), ("é日本👩", "é日本👩"),
        ])
    func visible(text: String, expected: String) {
        #expect(text.visible == expected)
    }
}
