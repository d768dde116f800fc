import SockeyeCore
import SockeyeHTTP
import Testing

@testable import SockeyeEngine

@Suite("Text of errors") struct PrintableTextTests {
    @Test(
        "the text of an error has no control characters, whatever bytes of a peer or a file it quotes",
        arguments: (0..<0x20).map { $0 } + [
            0x7F, 0x80, 0x85, 0x9B, 0x9F, 0x61C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E, 0x2066, 0x2069,
        ])
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
        arguments: ["", "plain", "Größe \u{A0} 東京 👩‍👩‍👧", "\u{C2}\u{FFFD}", "שלום\u{200B} سلام –\u{2065}"])
    func others(text: String) {
        #expect(text.printable == text)
    }
}
