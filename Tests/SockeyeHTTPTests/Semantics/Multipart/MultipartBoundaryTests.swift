import SockeyeHTTP
import SockeyeTestSupport
import Testing

@Suite("Multipart boundaries") struct MultipartBoundaryTests {
    @Test("random boundaries are valid, need no quotes and do not repeat")
    func random() {
        let texts = (0..<1000).map { _ in MultipartBoundary.random() }
        #expect(Set(texts).count == 1000)
        for boundary in texts {
            #expect(MultipartBoundary(boundary.text) != nil)
            #expect(boundary.parameterValue == boundary.text)
            #expect(boundary.text.utf8.count == 30)
        }
    }

    @Test("random boundaries use every character of their alphabet about equally often")
    func spread() {
        var generator = SplitMix(seed: 1)
        var counts: [Character: Int] = [:]
        for _ in 0..<2000 {
            for character in MultipartBoundary.random(using: &generator).text.dropFirst(8) {
                counts[character, default: 0] += 1
            }
        }
        #expect(counts.count == 64)
        #expect(counts.values.allSatisfy { (500...900).contains($0) })
    }

    @Test(
        "a boundary has 1 to 70 of the characters of RFC 2046",
        arguments: [
            ("a", true), ("", false), ("a b", true), ("a ", false), (" a", true), ("'()+_,-./:=?", true),
            (String(repeating: "x", count: 70), true), (String(repeating: "x", count: 71), false), ("a\"b", false),
            ("a\r\nb", false), ("ä", false), ("a;b", false), ("<a>", false), ("a\0", false),
        ])
    func rules(text: String, isValid: Bool) {
        #expect((MultipartBoundary(text) != nil) == isValid)
    }

    @Test("a peer's boundary may be any visible text")
    func received() {
        #expect(MultipartBoundary(received: "<q1w2e3r4t5y6u7i8o9p0>") != nil)
        #expect(MultipartBoundary(received: "") == nil)
        #expect(MultipartBoundary(received: "a\nb") == nil)
        #expect(MultipartBoundary(received: String(repeating: "x", count: 201)) == nil)
    }

    @Test("a boundary that is not a token is quoted")
    func quotes() {
        #expect(MultipartBoundary("a:b")?.parameterValue == "\"a:b\"")
        #expect(MultipartBoundary("a b")?.parameterValue == "\"a b\"")
        #expect(MultipartBoundary("a_b-c.d'e+f")?.parameterValue == "a_b-c.d'e+f")
    }
}
