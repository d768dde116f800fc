import Foundation
import SockeyeSerialization
import SockeyeTestSupport
import Testing

@Suite("Parameter escaping")
struct EscapingTests {
    private static let literals = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?".utf8)

    /// Returns the text with every byte percent-encoded that is not in `literals`.
    private func escaped(_ text: String) -> String {
        text.utf8.map { Self.literals.contains($0) ? String(Unicode.Scalar($0)) : String(format: "%%%02X", $0) }
            .joined()
    }

    @Test("each ASCII character is escaped as specified")
    func ascii() throws {
        for byte in UInt8(0)..<128 {
            let text = String(Unicode.Scalar(byte))
            #expect(try RequestParameters.Style.standard.encode([text: text]) == "\(escaped(text))=\(escaped(text))")
        }
    }

    @Test("every kind of UTF-8 byte is escaped")
    func bytes() throws {
        for value in stride(from: UInt32(0x80), through: 0x10FFFF, by: 61) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(
                try RequestParameters.Style.standard.encode(["k": String(scalar)]) == "k=\(escaped(String(scalar)))")
        }
    }

    @Test("random text is read back as it was written", arguments: UInt64(1)...20)
    func random(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        for _ in 0..<50 {
            let (key, value) = (generator.text(), generator.text())
            let text = try RequestParameters.Style.standard.encode([key: value])
            #expect(text == "\(escaped(key))=\(escaped(value))")
            let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            #expect(parts.map(\.removingPercentEncoding) == [key, value])
            let form = try RequestParameters.Style(spaces: .plus).encode([key: value])
            #expect(form == text.replacing("%20", with: "+"))
        }
    }

    @Test("long composed characters stay whole at any position")
    func composed() throws {
        let family = "\u{1F469}\u{1F3FD}\u{200D}\u{1F469}\u{1F3FB}\u{200D}\u{1F467}"
        for length in 0..<120 {
            let text = String(repeating: "x", count: length) + family + "\u{E9}\u{301}\u{302}" + family
            let query = try RequestParameters.Style.standard.encode(["k": text])
            #expect(query.dropFirst(2).removingPercentEncoding == text)
        }
    }

    /// The case in which the operating system's own escaping failed, so that AFNetworking escaped in pieces.
    @Test("a text of 350,000 characters beyond ASCII is escaped")
    func long() throws {
        let text = String(repeating: "\u{4EAC}", count: 350_000)
        let query = try RequestParameters.Style.standard.encode(["k": text])
        #expect(query.utf8.count == 2 + 9 * 350_000)
    }
}

extension SplitMix {
    /// Returns up to 40 scalars of all planes, mostly of the first 256.
    fileprivate mutating func text() -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...40, using: &self) {
            let limit: UInt32 = Int.random(in: 0..<4, using: &self) == 0 ? 0x10FFFF : 0xFF
            if let scalar = Unicode.Scalar(UInt32.random(in: 0...limit, using: &self)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
