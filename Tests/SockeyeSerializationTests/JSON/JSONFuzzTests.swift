import SockeyeCore
import SockeyeSerialization
import SockeyeTestSupport
import Testing

/// Any bytes give a value or an error at a place within them.
@Suite struct JSONFuzzTests {
    private static let document = """
        {"name": "Ada \\"L\\u00e9\\ud83d\\ude00 é😀", "list": [1, -2.50e+3, true, false, null, [], {}],
         "nested": {"a": {"b": [{"c": "d"}]}}, "big": 123456789012345678901234567890, "a": 0}
        """

    private func check(_ bytes: [UInt8]) {
        for policy in [JSONValue.ReadingOptions.DuplicateKeys.lastWins, .firstWins, .error] {
            do throws(JSONError) {
                let value = try JSONValue(parsing: bytes, options: JSONValue.ReadingOptions(duplicateKeys: policy))
                let again = try? JSONValue(parsing: value.bytes())
                #expect(again == value)
            } catch {
                #expect((0...bytes.count).contains(error.offset))
                #expect(error.line >= 1 && error.column >= 1)
                #expect(error.description.utf8.count < 2000)
            }
        }
    }

    @Test("A document that is cut anywhere fails with unexpectedEnd, or with invalidUnicode inside a character")
    func cuts() {
        let bytes = Array(Self.document.utf8)
        for length in 1..<bytes.count {
            let error = #expect(throws: JSONError.self) { try JSONValue(parsing: bytes[..<length]) }
            // In the middle of a character the text is not even valid UTF-8.
            let isBoundary = !UTF8.isContinuation(bytes[length])
            #expect(error?.kind == (isBoundary ? .unexpectedEnd : .invalidUnicode) || error?.kind == .unexpectedEnd)
        }
    }

    @Test("A document with one changed byte gives a value or an error")
    func changes() {
        let bytes = Array(Self.document.utf8)
        var generator = SplitMix(seed: 1)
        for position in bytes.indices {
            let random = UInt8.random(in: 0...255, using: &generator)
            for byte in [0x00, 0x22, 0x2C, 0x30, 0x5B, 0x5C, 0x5D, 0x7B, 0x7D, 0xC3, 0xFF, random] {
                var changed = bytes
                changed[position] = byte
                check(changed)
            }
        }
    }

    @Test("Random bytes, and random pieces of JSON, give a value or an error")
    func noise() {
        var generator = SplitMix(seed: 2)
        let pieces =
            #"[ ] { } , : " \ \u d83d 1 - . e true null "a" é"#.split(separator: " ").map { String($0) } + [" "]
        for length in 0..<400 {
            check((0..<length % 50).map { _ in UInt8.random(in: 0...255, using: &generator) })
            let text = (0..<length % 40).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }
            check(Array(text.joined().utf8))
        }
    }
}
