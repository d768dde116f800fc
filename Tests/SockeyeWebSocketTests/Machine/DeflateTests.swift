import SockeyeCore
import SockeyeTestSupport
import SockeyeWebSocket
import Testing

@Suite("permessage-deflate (RFC 7692 7)", .timeLimit(.minutes(2)))
struct DeflateTests {
    private static let takeover = DeflateDirection()
    private static let noTakeover = DeflateDirection(keepsContext: false)

    private func wire(_ payload: [UInt8], reserved: UInt8 = 4, isFinal: Bool = true, opcode: UInt8 = 1) -> [UInt8] {
        Wire.frame(opcode, payload, isFinal: isFinal, reserved: reserved)
    }

    // MARK: The examples of RFC 7692 7.2.3

    @Test("the machine reads the RFC's example of one block, whole and in fragments (7.2.3.1)")
    func example() {
        let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        #expect(Reading.ofEveryCut(wire(hello), compression: Self.takeover) == [Reading(["text", "Hello"])])
        let fragments =
            wire(Array(hello[..<3]), isFinal: false) + Wire.frame(9) + Wire.frame(0, Array(hello[3...]))
        #expect(
            Reading.ofEveryCut(fragments, compression: Self.takeover) == [Reading(["text", "ping ", "Hello"])])
    }

    @Test("the RFC's example of a shared window is read, and refused unless agreed (7.2.3.2)")
    func sharedWindow() {
        let first: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        let second: [UInt8] = [0xF2, 0x00, 0x11, 0x00, 0x00]
        let both = wire(first) + wire(second)
        #expect(Reading.ofEveryCut(both, compression: Self.takeover) == [Reading(["text", "Hello", "text", "Hello"])])
        let reading = Reading([both], compression: Self.noTakeover)
        #expect(reading.events == ["text", "Hello", "text"])
        guard case .badCompression? = reading.fault else {
            Issue.record("\(reading)")
            return
        }
        #expect(reading.fault?.closeCode == .invalidPayload)
    }

    @Test("the RFC's examples of a stored block, of BFINAL and of two blocks are read (7.2.3.3 to 7.2.3.5)")
    func blocks() {
        let stored: [UInt8] = [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]
        let final: [UInt8] = [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]
        let two: [UInt8] = [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]
        for payload in [stored, final, two] {
            #expect(
                Reading.ofEveryCut(wire(payload), compression: Self.takeover) == [Reading(["text", "Hello"])])
        }
        // The window persists after BFINAL.
        let second: [UInt8] = [0xF2, 0x00, 0x11, 0x00, 0x00]
        #expect(
            Reading.ofEveryCut(wire(final) + wire(second), compression: Self.takeover)
                == [Reading(["text", "Hello", "text", "Hello"])])
    }

    @Test("empty messages are read, and uncompressed messages among compressed ones (6, 7.2.3.6)")
    func plain() {
        let bytes =
            wire([0x00]) + Wire.frame(1, Array("plain".utf8)) + wire([0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
        #expect(
            Reading.ofEveryCut(bytes, compression: Self.takeover)
                == [Reading(["text", "", "text", "plain", "text", "Hello"])])
    }

    @Test("messages whose sender has kept the end of the flush, or has sent nothing, are read (7.2.1, 7.2.3.4)")
    func keptTail() {
        let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        let final: [UInt8] = [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        let second = wire([0xF2, 0x00, 0x11, 0x00, 0x00])
        let kept = wire(hello + [0x00, 0x00, 0xFF, 0xFF])
        for first in [kept, wire(final)] {
            #expect(
                Reading.ofEveryCut(first + wire([]) + second, compression: Self.takeover)
                    == [Reading(["text", "Hello", "text", "", "text", "Hello"])])
        }
    }

    // MARK: What is refused

    @Test("RSV1 is refused without the extension, on continuations and on control frames (6.1, 6.2)")
    func reserved() {
        #expect(Reading([wire([0x00])]).fault == .reservedBits)
        let continuation = wire([0xF2], isFinal: false) + Wire.frame(0, [0x48], reserved: 4)
        #expect(Reading([continuation], compression: Self.takeover).fault == .reservedBits)
        for opcode in [8, 9, 10] as [UInt8] {
            #expect(Reading([wire([], opcode: opcode)], compression: Self.takeover).fault == .reservedBits)
        }
    }

    @Test("damaged data, and decompressed text that is not UTF-8, are refused, however the bytes are cut")
    func damaged() throws {
        for reading in Reading.ofEveryCut(wire([0xFF, 0xFF, 0xFF]), compression: Self.takeover) {
            guard case .badCompression? = reading.fault else {
                Issue.record("\(reading)")
                continue
            }
        }
        let text = try Self.compressed([0x41, 0xED, 0xA0, 0x80], kind: .text)
        #expect(Reading.ofEveryCut(text, compression: Self.takeover) == [Reading(["text"], .invalidText)])
    }

    @Test("a message whose compressed data ends inside a block is refused, however the bytes are cut", arguments: 1..<7)
    func cutOff(count: Int) {
        let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        for direction in [Self.takeover, Self.noTakeover] {
            for reading in Reading.ofEveryCut(wire(Array(hello[..<count])), compression: direction) {
                guard case .badCompression? = reading.fault else {
                    Issue.record("\(reading)")
                    continue
                }
                #expect(reading.fault?.closeCode == .invalidPayload)
            }
        }
    }

    @Test(
        "much compressed data without content is refused: stored blocks (RFC 1951 3.2.4) and stream ends",
        arguments: [
            ([0, 0, 0, 0xFF, 0xFF], 2_000, false), ([0, 0, 0, 0xFF, 0xFF], 20_000, true), ([3, 0], 100, false),
            ([3, 0], 1_000, true),
        ] as [([UInt8], Int, Bool)])
    func barren(unit: [UInt8], count: Int, isRefused: Bool) {
        let payload = Array(Bytes(repeating: unit, count: count * unit.count)) + [0]
        for bytes in [wire(payload), wire(payload, opcode: 2)] {
            let fault = Reading([bytes], compression: Self.takeover).fault
            #expect((fault == .emptyCompression(limit: 64 << 10)) == isRefused, "\(String(describing: fault))")
            #expect((fault == nil) != isRefused)
        }
    }

    @Test("a decompression bomb is stopped at the limit, with the memory of one piece")
    func bomb() throws {
        let zeros = [UInt8](repeating: 0, count: 4 << 20)
        let wire = try Self.compressed(zeros, kind: .binary)
        #expect(wire.count < 25_000)
        var machine = InboundMachine(role: .client, messageLimit: 1 << 20, compression: Self.takeover)
        machine.push(Bytes(wire))
        var (count, largest) = (0, 0)
        var fault: ProtocolFault?
        do throws(ProtocolFault) {
            while let event = try machine.next() {
                guard case .piece(let piece) = event else { continue }
                count += piece.count
                largest = max(largest, piece.count)
            }
        } catch {
            fault = error
        }
        #expect(fault == .messageTooLarge(limit: 1 << 20))
        #expect(count <= 1 << 20 && largest <= 64 << 10)
        #expect(Reading([wire], compression: Self.takeover).fault == nil)
    }

    // MARK: Both ways

    /// Returns a message as compressed by this side's machine in the server's role.
    private static func compressed(
        _ bytes: [UInt8], kind: WebSocketConnection.Kind, direction: DeflateDirection = takeover
    ) throws -> [UInt8] {
        var machine = OutboundMachine(role: .server, fragmentSize: 1 << 20, compression: direction)
        machine.begin(kind, compressing: true)
        machine.append(Bytes(bytes), isLast: true)
        return try SendingTests.bytes(of: &machine)
    }

    @Test(
        "messages are compressed and read back with every window, with and without context",
        arguments: 8...15, [true, false])
    func windows(bits: Int, keepsContext: Bool) throws {
        let direction = DeflateDirection(windowBits: bits, keepsContext: keepsContext)
        var machine = OutboundMachine(role: .server, fragmentSize: 20_000, compression: direction)
        var random = SplitMix(seed: UInt64(bits))
        var (wire, expected, sizes): ([UInt8], [String], [Int]) = ([], [], [])
        for round in 0..<4 {
            let noise = (0..<(round * 12_000)).map { _ in UInt8.random(in: 97...122, using: &random) }
            let payload = Array(String(repeating: "the same words again and again. ", count: 60).utf8) + noise
            machine.begin(.text, compressing: true)
            machine.append(Bytes(payload), isLast: true)
            let bytes = try SendingTests.bytes(of: &machine)
            sizes.append(bytes.count)
            wire += bytes
            expected += ["text", Reading([Wire.frame(1, payload)]).events[1]]
        }
        let reading = Reading([wire], compression: direction)
        #expect(reading == Reading(expected))
        // Also byte by byte with context, where the window continues from message to message.
        if keepsContext { #expect(Reading(wire.map { [$0] }, compression: direction) == reading) }
        // zlib has no window of 2^8 bytes.
        let compresses = machine.compresses
        #expect(compresses == (bits > 8))
        if bits > 8 { #expect(sizes[0] < 200) }
    }

    @Test("a repeated message shrinks to less than half only with context takeover")
    func context() throws {
        for (direction, isSmaller) in [(Self.takeover, true), (Self.noTakeover, false)] {
            var machine = OutboundMachine(role: .server, fragmentSize: 1 << 20, compression: direction)
            var sizes: [Int] = []
            for _ in 0..<2 {
                machine.begin(.text, compressing: true)
                machine.append("{\"event\":\"tick\",\"price\":123.45,\"volume\":678}".bytes, isLast: true)
                sizes.append(try SendingTests.bytes(of: &machine).count)
            }
            #expect((sizes[1] < sizes[0] / 2) == isSmaller)
        }
    }

    @Test(
        "each non-empty piece of a message is sent at once",
        arguments: [[], [""], ["a", "", "bcd"], ["one ", "two ", "one two", ""]])
    func pieces(pieces: [String]) throws {
        var machine = OutboundMachine(role: .server, fragmentSize: 1 << 20, compression: Self.takeover)
        var wire: [UInt8] = []
        for _ in 0..<2 {
            machine.begin(.text, compressing: true)
            for piece in pieces {
                machine.append(Bytes(piece), isLast: false)
                let bytes = try SendingTests.bytes(of: &machine)
                #expect(bytes.isEmpty == piece.isEmpty)
                wire += bytes
            }
            machine.append(Bytes(), isLast: true)
            wire += try SendingTests.bytes(of: &machine)
        }
        let text = pieces.joined()
        #expect(Reading([wire], compression: Self.takeover) == Reading(["text", text, "text", text]))
    }

    @Test("no frame of a compressed message is larger than the fragment size", arguments: [1, 125, 1000, 40_000])
    func fragmentSize(limit: Int) throws {
        var random = SplitMix(seed: 1)
        let payload = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        var machine = OutboundMachine(role: .server, fragmentSize: limit, compression: Self.takeover)
        machine.begin(.binary, compressing: true)
        machine.append(Bytes(payload[..<70_000]), isLast: false)
        var wire = try SendingTests.bytes(of: &machine)
        machine.append(Bytes(payload[70_000...]), isLast: true)
        wire += try SendingTests.bytes(of: &machine)
        var (lengths, offset): ([Int], Int) = ([], 0)
        while offset < wire.count {
            let bytes = [0, 0, 2, 8][wire[offset + 1] < 126 ? 0 : Int(wire[offset + 1]) - 124]
            let length = wire[offset + 2..<offset + 2 + bytes].reduce(0) { $0 << 8 | Int($1) }
            lengths.append(bytes == 0 ? Int(wire[offset + 1]) : length)
            offset += 2 + bytes + (lengths.last ?? 0)
        }
        #expect(lengths.max() == limit && lengths.reduce(0, +) >= payload.count)
        #expect(Reading([wire], compression: Self.takeover) == Reading([Wire.frame(2, payload)]))
    }

    @Test("the other side reads random messages", arguments: 0..<10)
    func random(seed: Int) throws {
        var random = SplitMix(seed: UInt64(seed))
        let direction = DeflateDirection(
            windowBits: Int.random(in: 9...15, using: &random), keepsContext: Bool.random(using: &random))
        var machine = OutboundMachine(
            role: .client, fragmentSize: Int.random(in: 1...50_000, using: &random), compression: direction,
            level: Int.random(in: 1...9, using: &random))
        var (wire, plain): ([UInt8], [UInt8]) = ([], [])
        for _ in 0..<8 {
            let spread = UInt8.random(in: 0...255, using: &random)
            let payload = (0..<Int.random(in: 0...30_000, using: &random)).map { _ in
                UInt8.random(in: 0...spread, using: &random)
            }
            machine.begin(.binary, compressing: Bool.random(using: &random))
            machine.append(Bytes(payload), isLast: true)
            wire += try SendingTests.bytes(of: &machine, step: Int.random(in: 1...5000, using: &random))
            plain += Wire.frame(2, payload)
        }
        #expect(Reading([wire], role: .server, compression: direction) == Reading([plain]))
    }
}
