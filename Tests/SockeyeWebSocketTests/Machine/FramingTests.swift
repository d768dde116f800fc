import SockeyeCore
import SockeyeWebSocket
import Testing

@Suite("Frames of a peer (RFC 6455 5)", .timeLimit(.minutes(1)))
struct FramingTests {
    @Test("frames make the same messages however the bytes are cut")
    func messages() {
        let frames: [[UInt8]] = [
            Wire.frame(1, Array("Hello".utf8)), Wire.frame(2, [65, 66, 67]), Wire.frame(1),
            Wire.frame(1, Array("a".utf8), isFinal: false), Wire.frame(9, Array("p".utf8)),
            Wire.frame(0, Array("b".utf8), isFinal: false), Wire.frame(0, isFinal: false), Wire.frame(10),
            Wire.frame(0, Array("c".utf8)), Wire.close(1000, Array("bye".utf8)), [0xFF, 0xFF],
        ]
        let bytes = Array(frames.joined())
        let expected = Reading([
            "text", "Hello", "binary", "ABC", "text", "", "text", "ping p", "pong ", "abc", "close 1000 bye",
        ])
        #expect(Reading.ofEveryCut(bytes) == [expected])
    }

    @Test("a server unmasks frames", arguments: [0, 1, 3, 4, 5, 31, 32, 33, 125, 126, 127, 300])
    func masked(count: Int) {
        let payload = (0..<count).map { UInt8(truncatingIfNeeded: 65 + $0 % 26) }
        let bytes = Wire.frame(1, payload, masked: true) + Wire.frame(9, [80], masked: true)
        let plain = Reading([Wire.frame(1, payload) + Wire.frame(9, [80])].map { $0 })
        #expect(Reading.ofEveryCut(bytes, role: .server) == [plain])
    }

    @Test("frames have lengths of 7, 16 and 64 bits", arguments: [0, 125, 126, 65_535, 65_536])
    func lengths(count: Int) {
        let reading = Reading([Wire.frame(2, [UInt8](repeating: 7, count: count))])
        #expect(reading.fault == nil)
        #expect(reading.events.first == "binary" && reading.events.count == 2)
    }

    struct Hostile: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let fault: ProtocolFault
        var before: [String] = []
        var role = Role.client
        var testDescription: String { name }
    }

    static let hostile: [Hostile] = hostileOpcodes + hostileFrames

    private static var hostileOpcodes: [Hostile] {
        var all: [Hostile] = []
        for bits: UInt8 in 1...7 {
            let frame = Wire.frame(1, reserved: bits)
            all.append(Hostile(name: "reserved bits \(bits)", bytes: frame, fault: .reservedBits))
        }
        for code: UInt8 in [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] {
            all.append(Hostile(name: "opcode \(code)", bytes: Wire.frame(code), fault: .reservedOpcode(code)))
        }
        for code: UInt8 in 8...10 {
            let fragment = Wire.frame(code, isFinal: false)
            let long = Wire.frame(code, [UInt8](repeating: 0, count: 126))
            all.append(Hostile(name: "fragmented \(code)", bytes: fragment, fault: .fragmentedControl))
            all.append(Hostile(name: "oversized \(code)", bytes: long, fault: .oversizedControl))
        }
        return all
    }

    private static let hostileFrames: [Hostile] = [
        Hostile(name: "masked by a server", bytes: Wire.frame(1, [65], masked: true), fault: .maskedByServer),
        Hostile(
            name: "not masked by a client", bytes: Wire.frame(1, [65]), fault: .unmaskedByClient, role: .server),
        Hostile(name: "16 bits for 125", bytes: Wire.frame(2, length: 125, form: 16), fault: .nonMinimalLength),
        Hostile(name: "64 bits for 125", bytes: Wire.frame(2, length: 125, form: 64), fault: .nonMinimalLength),
        Hostile(
            name: "64 bits for 65535", bytes: Wire.frame(2, length: 65_535, form: 64), fault: .nonMinimalLength),
        Hostile(name: "2^63", bytes: Wire.frame(2, length: 1 << 63), fault: .lengthTooLarge),
        Hostile(name: "2^64 - 1", bytes: Wire.frame(2, length: .max), fault: .lengthTooLarge),
        Hostile(name: "continuation without a first frame", bytes: Wire.frame(0, [65]), fault: .unexpectedContinuation),
        Hostile(
            name: "continuation after the end", bytes: Wire.frame(1, [65]) + Wire.frame(0, [65]),
            fault: .unexpectedContinuation, before: ["text", "A"]),
        Hostile(
            name: "a message inside another", bytes: Wire.frame(1, [65], isFinal: false) + Wire.frame(1, [66]),
            fault: .interleavedMessage, before: ["text"]),
        Hostile(name: "a Close of one byte", bytes: Wire.frame(8, [3]), fault: .badClosePayload),
        Hostile(name: "a reason that is no text", bytes: Wire.close(1000, [0xC3]), fault: .invalidText),
    ]

    @Test("frames that break the protocol fail the connection, however they are cut", arguments: hostile)
    func refused(_ hostile: Hostile) {
        let expected = Reading(hostile.before, hostile.fault)
        #expect(Reading.ofEveryCut(hostile.bytes, role: hostile.role) == [expected])
        // No byte after the fault is read.
        #expect(Reading([hostile.bytes + Wire.frame(9)], role: hostile.role) == expected)
    }

    @Test("a frame of 2^62 bytes is accepted at its header, and a longer one is refused at once")
    func huge() {
        let bytes = Wire.frame(2, [1, 2, 3], length: 1 << 62)
        #expect(Reading.ofEveryCut(bytes) == [Reading(["binary"])])
        for length in [UInt64(1) << 62 + 1, UInt64(Int.max)] {
            let longer = Wire.frame(2, [1, 2, 3], length: length)
            #expect(Reading.ofEveryCut(longer) == [Reading([], .frameTooLarge(limit: 1 << 62))])
        }
        #expect(Reading([bytes], messageLimit: 1 << 20).fault == .messageTooLarge(limit: 1 << 20))
        #expect(Reading([bytes], frameLimit: 1 << 20).fault == .frameTooLarge(limit: 1 << 20))
    }

    @Test("a message as large as the limit is accepted, and one more byte is refused", arguments: [true, false])
    func limits(isFragmented: Bool) {
        let half = [UInt8](repeating: 65, count: 50)
        let message =
            isFragmented ? Wire.frame(1, half, isFinal: false) + Wire.frame(0, half) : Wire.frame(1, half + half)
        #expect(Reading.ofEveryCut(message, messageLimit: 100).first?.fault == nil)
        for reading in Reading.ofEveryCut(message, messageLimit: 99) {
            #expect(reading.fault == .messageTooLarge(limit: 99))
        }
    }

    @Test(
        "Close frames may have only the codes of RFC 6455 7.4 and of IANA",
        arguments: [
            (0, false), (999, false), (1000, true), (1001, true), (1002, true), (1003, true), (1004, false),
            (1005, false),
            (1006, false), (1007, true), (1011, true), (1012, true), (1013, true), (1014, true), (1015, false),
            (1016, false), (1100, false), (2000, false), (2999, false), (3000, true), (3999, true), (4000, true),
            (4999, true), (5000, false), (65535, false),
        ])
    func closeCodes(code: UInt16, isValid: Bool) {
        let expected =
            isValid ? Reading(["close \(code) "]) : Reading([], .badCloseCode(code))
        #expect(Reading.ofEveryCut(Wire.close(code)) == [expected])
        #expect((WebSocketConnection.CloseStatus(.init(rawValue: code)).payload != nil) == isValid)
    }

    @Test("a Close frame may be empty, and ends the input whatever follows")
    func closes() {
        let bytes = Wire.frame(8) + Wire.frame(1, [65]) + [0xFF, 0xFF, 0xFF]
        #expect(Reading.ofEveryCut(bytes) == [Reading(["close 1005 "])])
        let longest = [UInt8](repeating: 65, count: 123)
        #expect(Reading([Wire.close(4000, longest)]).fault == nil)
    }
}
