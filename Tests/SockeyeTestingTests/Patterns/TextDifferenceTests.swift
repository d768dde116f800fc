import Sockeye
import Testing

@testable import SockeyeTesting

@Suite("The lines in which two texts differ") struct TextDifferenceTests {
    @Test("a difference far into a long line is shown")
    func longLine() {
        let start = String(repeating: "a", count: 300)
        let lines = TextDifference.lines(expected: start + "1", actual: start + "2")
        let shown = "…" + String(repeating: "a", count: 20)
        #expect(lines == ["from line 1:", "- \(shown)1", "+ \(shown)2"])
    }

    @Test("a difference in control characters is shown as an escape")
    func controls() {
        let lines = TextDifference.lines(expected: "a\r\nb", actual: "a\nb")
        #expect(lines == ["from line 1:", #"- a\u{D}"#, "+ a"])
    }

    @Test("a pattern for a text does not match bytes that only decode to it")
    func invalidText() async throws {
        let mock = MockTransport { _ in .ok("no") }
        mock.answer("POST /", body: .text("\u{FFFD}")) { _ in .ok("yes") }
        let client = HTTPClient(transport: mock)
        #expect(try await client.post("https://a.test/", .bytes([0xFF])).text() == "no")
        #expect(try await client.post("https://a.test/", .text("\u{FFFD}")).text() == "yes")
    }
}
