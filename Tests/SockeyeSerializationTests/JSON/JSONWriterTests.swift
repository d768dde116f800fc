import SockeyeCore
import SockeyeSerialization
import SockeyeTestSupport
import Testing

@Suite struct JSONWriterTests {
    private let value: JSONValue = ["b": [1, "x/y"], "é": [:], "a": [], "B": nil]

    @Test("The text is compact, in the order of the members, with slashes escaped as Foundation does")
    func compact() {
        #expect(value.string() == "{\"b\":[1,\"x\\/y\"],\"é\":{},\"a\":[],\"B\":null}")
        #expect(value.bytes() == Bytes(value.string()))
        #expect(value.description == value.string(options: .withoutEscapingSlashes))
    }

    @Test("Keys are sorted by their bytes")
    func sorted() {
        let text = value.string(options: [.sortedKeys, .withoutEscapingSlashes])
        #expect(text == "{\"B\":null,\"a\":[],\"b\":[1,\"x/y\"],\"é\":{}}")
    }

    @Test("Pretty text has a line for each member and element")
    func pretty() {
        let text = value.string(options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        #expect(
            text == """
                {
                  "B" : null,
                  "a" : [],
                  "b" : [
                    1,
                    "x/y"
                  ],
                  "é" : {}
                }
                """)
    }

    @Test("Only necessary escapes are written, and every character is read back")
    func escapes() throws {
        let controls = String(String.UnicodeScalarView((0..<0x20).compactMap { Unicode.Scalar($0) }))
        let text = controls + "\"\\/\u{7F}é😀\u{2028}"
        let written = JSONValue.string(text).string(options: .withoutEscapingSlashes)
        #expect(
            written == "\"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f"
                + "\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c\\u001d"
                + "\\u001e\\u001f\\\"\\\\/\u{7F}é😀\u{2028}\"")
        #expect(try JSONValue(parsing: written) == .string(text))
        let escaped = JSONValue.string(text).string()
        #expect(try JSONValue(parsing: escaped) == .string(text))
    }

    @Test("Random values are read back from their text with any writing options")
    func roundTrips() throws {
        var generator = SplitMix(seed: 20)
        for _ in 0..<300 {
            let value = JSONValue.random(depth: 4, using: &generator)
            for bits in UInt8(0)..<8 {
                let text = value.bytes(options: JSONValue.WritingOptions(rawValue: bits))
                #expect(try JSONValue(parsing: text) == value)
            }
        }
    }
}
