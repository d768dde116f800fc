import SockeyeCore
import SockeyeTestSupport
import SockeyeWebSocket
import Testing

@Suite("Text of a peer (RFC 6455 8.1)", .timeLimit(.minutes(2)))
struct TextTests {
    static let valid: [String] = [
        "", "plain", "κόσμε", "\u{0}", "\u{80}\u{7FF}", "\u{800}\u{D7FF}\u{E000}\u{FFFF}", "\u{10000}\u{10FFFF}",
        "😀 0123456789abcdef é",
    ]
    static let invalid: [[UInt8]] = [
        [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC2], [0xC2, 0x41], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
        [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xE1, 0x80], [0xEF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
        [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        [0xF8, 0x88, 0x80],
        [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xCF, 0x83, 0xCE, 0xBC, 0xCE, 0xB5, 0xED, 0xA0, 0x80, 0x65],
    ]

    @Test("UTF-8 text passes, wherever it is cut into two frames", arguments: valid)
    func passes(text: String) {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            let wire = Wire.frame(1, Array(bytes[..<cut]), isFinal: false) + Wire.frame(0, Array(bytes[cut...]))
            #expect(Reading.ofEveryCut(wire) == [Reading(["text", text])])
        }
    }

    @Test("text that is not UTF-8 fails, wherever it is cut into two frames", arguments: invalid)
    func fails(bytes: [UInt8]) {
        for padding in [0, 7, 16, 40] {
            let bytes = [UInt8](repeating: 65, count: padding) + bytes
            for cut in 0...bytes.count {
                let wire = Wire.frame(1, Array(bytes[..<cut]), isFinal: false) + Wire.frame(0, Array(bytes[cut...]))
                #expect(Reading.ofEveryCut(wire) == [Reading(["text"], .invalidText)])
            }
        }
    }

    @Test("text fails at the first invalid byte, before the message is complete")
    func failsFast() {
        let wire = Wire.frame(1, [0xCE, 0xBA, 0xED, 0xA0], isFinal: false)
        #expect(Reading([wire]).fault == .invalidText)
        #expect(Reading([Array(wire.dropLast())]).fault == nil)
    }

    @Test("the check agrees with the standard library for random bytes")
    func agrees() {
        var random = SplitMix(seed: 7)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...12, using: &random)
            let alphabet: [UInt8] = [
                0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF4,
            ]
            let bytes = (0..<count).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            var validator = UTF8Validator()
            let isValid = unsafe bytes.withUnsafeBytes { unsafe validator.accepts($0) } && validator.isComplete
            #expect(isValid == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
        }
    }
}
