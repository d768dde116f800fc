import SockeyeHTTP
import Testing

@testable import SockeyeEngine

@Suite("Text of errors") struct PrintableTextTests {
    @Test(
        "the text of an error has no control characters, whatever bytes of a peer or a file it quotes",
        arguments: (0..<0x20).map { $0 } + [0x7F, 0x80, 0x85, 0x9B, 0x9F])
    func controls(value: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(value))
        let fields = SockeyeError.Fields(
            .badConfiguration, phase: .prepare, blame: .caller, message: "the value is \"a\(String(scalar))b\"")
        let error = SockeyeError(fields)
        for text in [error.message, error.description] {
            #expect(!text.unicodeScalars.contains(scalar))
            #expect(text.contains("\"a\\u{\(String(value, radix: 16, uppercase: true))}b\""))
        }
    }

    @Test(
        "the text of an error keeps all characters except controls",
        arguments: ["", "plain", "Größe \u{A0} 東京 👩‍👩‍👧", "\u{C2}\u{FFFD}"])
    func others(text: String) {
        #expect(text.printable == text)
    }
}
