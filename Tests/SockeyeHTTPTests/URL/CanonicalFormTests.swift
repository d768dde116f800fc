import SockeyeHTTP
import SockeyeTestSupport
import Testing

@Suite("Normalization Form C") struct CanonicalFormTests {
    private func points(_ text: String) -> [UInt32] { text.canonicallyComposed.unicodeScalars.map(\.value) }

    @Test("combining marks are ordered by their combining class, and marks of one class keep their order")
    func order() {
        // Two marks above (230), two below (220), one overlay (1).
        #expect(points("x\u{301}\u{300}\u{316}\u{323}\u{334}") == [0x78, 0x334, 0x316, 0x323, 0x301, 0x300])
        #expect(points("e\u{316}\u{301}") == [0xE9, 0x316])
        #expect(points("e\u{300}\u{301}") == [0xE8, 0x301])
    }

    @Test("composing a hundred thousand marks on one letter is not quadratic")
    func manyMarks() {
        var random = SplitMix(seed: 15)
        let marks: [Unicode.Scalar] = ["\u{301}", "\u{316}", "\u{334}", "\u{345}", "\u{31B}"]
        var scalars = String.UnicodeScalarView("a".unicodeScalars)
        for _ in 0..<100_000 { scalars.append(marks.randomElement(using: &random) ?? "\u{301}") }
        let text = String(scalars)
        var composed = ""
        let time = ProcessMeter.processorTime { composed = text.canonicallyComposed }
        #expect(time < .seconds(10))
        #expect(composed.unicodeScalars.count == 100_000)
        #expect(composed.canonicallyComposed.utf8.elementsEqual(composed.utf8))
    }
}
