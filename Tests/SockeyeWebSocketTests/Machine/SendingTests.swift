import SockeyeCore
import SockeyeTestSupport
import SockeyeWebSocket
import Testing

@Suite("The frames that a WebSocket sends", .timeLimit(.minutes(1)))
struct SendingTests {
    /// Returns all output of the machine, taken `step` bytes at a time.
    static func bytes(of machine: inout OutboundMachine, step: Int = .max) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            try machine.fill()
            guard !machine.output.isEmpty else { return bytes }
            let taken = unsafe machine.output.withUnsafeBytes { unsafe Array($0.prefix(step)) }
            bytes += taken
            machine.output.consume(taken.count)
        }
    }

    private static func other(_ role: Role) -> Role { role == .client ? .server : .client }

    @Test("each role reads the frames of the other role", arguments: [Role.client, .server], [1, 7, 4096, Int.max])
    func roundTrip(role: Role, step: Int) throws {
        for count in [0, 1, 125, 126, 1000, 65_535, 65_536, 200_000] {
            var machine = OutboundMachine(role: role, fragmentSize: 150_000)
            machine.begin(.binary, compressing: false)
            let payload = Array(Bytes(repeating: Array(0..<251), count: count))
            machine.append(Bytes(payload), isLast: true)
            let wire = try Self.bytes(of: &machine, step: step)
            let isDrained = machine.isDrained
            #expect(isDrained)
            let reading = Reading([wire], role: Self.other(role))
            #expect(reading.fault == nil)
            #expect(reading == Reading([Wire.frame(2, payload, masked: false)]))
        }
    }

    @Test("a client masks each frame with a new key, and a server does not mask")
    func masks() throws {
        var keys: Set<[UInt8]> = []
        var machine = OutboundMachine(role: .client, fragmentSize: 100)
        for _ in 0..<200 {
            machine.begin(.text, compressing: false)
            machine.append("secret".bytes, isLast: true)
            let wire = try Self.bytes(of: &machine)
            #expect(wire.count == 12 && wire[1] == 0x86)
            keys.insert(Array(wire[2..<6]))
        }
        #expect(keys.count == 200)
        var server = OutboundMachine(role: .server, fragmentSize: 100)
        server.begin(.text, compressing: false)
        server.append("Hello".bytes, isLast: true)
        // RFC 6455 5.7
        let hello = try Self.bytes(of: &server)
        #expect(hello == [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
    }

    @Test("masking follows RFC 6455 5.7 at any offset and length")
    func maskingKey() {
        let key = MaskingKey(0x37, 0xFA, 0x21, 0x3D)
        #expect(Array(key.applied(to: "Hello".bytes)) == [0x7F, 0x9F, 0x4D, 0x51, 0x58])
        for count in 0..<100 {
            let plain = (0..<count).map { UInt8($0) }
            let expected = plain.enumerated().map { $1 ^ [0x37, 0xFA, 0x21, 0x3D][$0 % 4] }
            for cut in 0...count {
                let parts =
                    Array(key.applied(to: Bytes(plain[..<cut])))
                    + Array(key.advanced(by: cut).applied(to: Bytes(plain[cut...])))
                #expect(parts == expected)
            }
        }
    }

    @Test("a message is cut into frames, and control frames go between them")
    func fragments() throws {
        var machine = OutboundMachine(role: .server, fragmentSize: 4)
        machine.begin(.text, compressing: false)
        machine.append("abcdefghij".bytes, isLast: false)
        machine.pong("1".bytes)
        machine.pong("2".bytes)
        let canPing = machine.ping("p".bytes)
        #expect(canPing)
        var wire = try Self.bytes(of: &machine)
        machine.append("".bytes, isLast: false)
        machine.pong("3".bytes)
        wire += try Self.bytes(of: &machine)
        machine.append("k".bytes, isLast: true)
        wire += try Self.bytes(of: &machine)
        let expected =
            Wire.frame(10, Array("2".utf8)) + Wire.frame(9, Array("p".utf8))
            + Wire.frame(1, Array("abcd".utf8), isFinal: false) + Wire.frame(0, Array("efgh".utf8), isFinal: false)
            + Wire.frame(0, Array("ij".utf8), isFinal: false) + Wire.frame(10, Array("3".utf8))
            + Wire.frame(0, Array("k".utf8))
        #expect(wire == expected)
    }

    @Test("Close is sent once, and nothing is sent after it")
    func close() throws {
        var machine = OutboundMachine(role: .server, fragmentSize: 4)
        machine.begin(.text, compressing: false)
        machine.append("abcdef".bytes, isLast: true)
        machine.close([0x03, 0xE8])
        machine.close([0x03, 0xE9])
        let isClosing = machine.isClosing
        #expect(isClosing)
        let close = try Self.bytes(of: &machine)
        #expect(close == Wire.close(1000))
        machine.pong("x".bytes)
        let canPing = machine.ping("x".bytes)
        #expect(!canPing)
        machine.close([0x03, 0xE8])
        let rest = try Self.bytes(of: &machine)
        #expect(rest == [])
        let hasSentClose = machine.hasSentClose
        #expect(hasSentClose)
    }

    @Test("of many requested pongs the last is sent, and of many pings the first fifteen and the last")
    func bounded() throws {
        var machine = OutboundMachine(role: .server, fragmentSize: 4)
        for number in 0..<100_000 { machine.pong(Bytes(String(number))) }
        for number in 0..<100 {
            let canPing = machine.ping(Bytes([UInt8(number)]))
            #expect(canPing)
        }
        let wire = try Self.bytes(of: &machine)
        let pings = (0..<15).map { UInt8($0) } + [99]
        #expect(wire == Wire.frame(10, Array("99999".utf8)) + pings.flatMap { Wire.frame(9, [$0]) })
    }

    @Test("the output is at most 64 KiB at a time, however large the message")
    func boundedOutput() throws {
        var machine = OutboundMachine(role: .client, fragmentSize: .max)
        machine.begin(.binary, compressing: false)
        machine.append(Bytes([UInt8](repeating: 1, count: 1 << 20)), isLast: true)
        var count = 0
        while true {
            try machine.fill()
            guard !machine.output.isEmpty else { break }
            let held = machine.output.count
            #expect(held <= 64 << 10)
            // Odd counts, so that the rest begins at any offset.
            let taken = min(machine.output.count, 10_007)
            count += taken
            machine.output.consume(taken)
        }
        #expect(count == 1 << 20 + 14)
    }

    @Test("a message can be withdrawn before any byte of it was taken")
    func withdrawal() throws {
        var machine = OutboundMachine(role: .server, fragmentSize: 4)
        machine.begin(.text, compressing: false)
        machine.append("abc".bytes, isLast: false)
        machine.withdraw()
        var isAmidMessage = machine.isAmidMessage
        #expect(!isAmidMessage)
        let rest = try Self.bytes(of: &machine)
        #expect(rest == [])
        machine.begin(.text, compressing: false)
        machine.append("abc".bytes, isLast: false)
        _ = try Self.bytes(of: &machine)
        machine.withdraw()
        isAmidMessage = machine.isAmidMessage
        #expect(isAmidMessage)
    }

    @Test("a message can be withdrawn while a control frame before it is only partly in the output")
    func withdrawalBehindControlFrame() throws {
        var machine = OutboundMachine(role: .server, fragmentSize: 1 << 20)
        machine.begin(.binary, compressing: false)
        // After this frame, with a header of 4 bytes, the output has room for any control frame, and for no byte more.
        machine.append(Bytes([UInt8](repeating: 1, count: OutputBuffer.largest - 4 - 139)), isLast: true)
        try machine.fill()
        _ = machine.ping(Bytes([UInt8](repeating: 2, count: 125)))
        try machine.fill()
        let isDrained = machine.isDrained
        #expect(!isDrained)
        machine.begin(.text, compressing: false)
        machine.append("abc".bytes, isLast: true)
        machine.withdraw()
        let isAmidMessage = machine.isAmidMessage
        #expect(!isAmidMessage)
    }
}

@Suite("The keep-alive of a WebSocket")
struct KeepAliveTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)
    private func at(_ seconds: Double) -> MonotonicTime { start.advanced(by: .seconds(seconds)) }
    private func machine() -> KeepAliveMachine {
        KeepAliveMachine(interval: .seconds(20), timeout: .seconds(10), now: start)
    }

    @Test("the keep-alive sends a ping after silence and fails after further silence")
    func silence() {
        var machine = machine()
        #expect(machine.step(now: at(0), received: 0, hasUnreceivedMessage: false) == .sleep(until: at(20)))
        #expect(machine.step(now: at(20), received: 0, hasUnreceivedMessage: false) == .ping)
        #expect(machine.step(now: at(21), received: 0, hasUnreceivedMessage: false) == .sleep(until: at(30)))
        #expect(machine.step(now: at(30), received: 0, hasUnreceivedMessage: false) == .fail)
    }

    @Test("any byte satisfies the keep-alive, which does not ping while bytes come")
    func life() {
        var machine = machine()
        #expect(machine.step(now: at(19), received: 5, hasUnreceivedMessage: false) == .sleep(until: at(39)))
        #expect(machine.step(now: at(39), received: 5, hasUnreceivedMessage: false) == .ping)
        #expect(machine.step(now: at(45), received: 6, hasUnreceivedMessage: false) == .sleep(until: at(65)))
        #expect(machine.step(now: at(65), received: 6, hasUnreceivedMessage: false) == .ping)
        #expect(machine.step(now: at(75), received: 6, hasUnreceivedMessage: false) == .fail)
    }

    @Test("the keep-alive's interval starts at the last byte, whenever that byte is detected")
    func lastByte() {
        var machine = machine()
        #expect(
            machine.step(now: at(19), received: 5, lastByte: at(1), hasUnreceivedMessage: false)
                == .sleep(until: at(21)))
        #expect(machine.step(now: at(21), received: 5, lastByte: at(1), hasUnreceivedMessage: false) == .ping)
        #expect(machine.step(now: at(31), received: 5, lastByte: at(1), hasUnreceivedMessage: false) == .fail)
    }

    @Test("the keep-alive's time-out starts again while output before the ping is being sent")
    func unsentPing() {
        var machine = machine()
        func step(_ seconds: Double, sent: UInt64, _ hasUnsentOutput: Bool) -> KeepAliveMachine.Action {
            machine.step(
                now: at(seconds), received: 0, hasUnreceivedMessage: false, sent: sent,
                hasUnsentOutput: hasUnsentOutput)
        }
        #expect(step(20, sent: 100, true) == .ping)
        #expect(step(25, sent: 200, true) == .sleep(until: at(35)))
        #expect(step(35, sent: 300, true) == .sleep(until: at(45)))
        // The stream has accepted the ping.
        #expect(step(40, sent: 400, false) == .sleep(until: at(50)))
        // Later messages, which the stream accepts at once, say nothing about the peer.
        #expect(step(45, sent: 500, false) == .sleep(until: at(50)))
        #expect(step(50, sent: 600, false) == .fail)
    }

    @Test("the keep-alive fails if output before the ping is stuck")
    func stuckPing() {
        var machine = machine()
        for (seconds, action) in [(20, .ping), (25, .sleep(until: at(30))), (30, .fail)]
            as [(Double, KeepAliveMachine.Action)]
        {
            let next = machine.step(
                now: at(seconds), received: 0, hasUnreceivedMessage: false, sent: 0, hasUnsentOutput: true)
            #expect(next == action)
        }
    }

    @Test("the keep-alive does not fail while a message waits for a receiver")
    func heldUp() {
        var machine = machine()
        #expect(machine.step(now: at(20), received: 0, hasUnreceivedMessage: true) == .ping)
        #expect(machine.step(now: at(30), received: 0, hasUnreceivedMessage: true) == .sleep(until: at(40)))
        #expect(machine.step(now: at(90), received: 0, hasUnreceivedMessage: true) == .sleep(until: at(100)))
        #expect(machine.step(now: at(101), received: 0, hasUnreceivedMessage: false) == .fail)
    }
}
