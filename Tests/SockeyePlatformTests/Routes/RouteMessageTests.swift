import SockeyePlatform
import Testing

@Suite("Messages of rtnetlink")
struct RouteMessageTests {
    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        unsafe withUnsafeBytes(of: number) { unsafe Array($0) }
    }

    private static func message(_ kind: UInt16, _ sequence: UInt32, _ body: [UInt8]) -> [UInt8] {
        bytes(UInt32(16 + body.count)) + bytes(kind) + bytes(UInt16(0)) + bytes(sequence) + bytes(UInt32(0)) + body
    }

    private static func attribute(_ kind: UInt16, _ value: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: (4 - value.count % 4) % 4)
        return bytes(UInt16(4 + value.count)) + bytes(kind) + value + padding
    }

    /// A struct rtmsg with this type and these flags.
    private static func route(_ type: UInt8, flags: UInt32 = 0, interface: UInt32? = nil) -> [UInt8] {
        message(
            24, 7, [2, 32, 0, 0, 254, 0, 0, type] + bytes(flags) + (interface.map { attribute(4, bytes($0)) } ?? []))
    }

    private static func link(hardware: UInt16, flags: UInt32, name: String) -> [UInt8] {
        let structure =
            [UInt8](arrayLiteral: 0, 0) + bytes(hardware) + bytes(Int32(3)) + bytes(flags) + bytes(UInt32(0))
        return message(16, 7, structure + attribute(10, [1, 2]) + attribute(3, Array(name.utf8) + [0]))
    }

    @Test("a route request names family, prefix and address")
    func questions() throws {
        let four = SystemAddress.ipv4(try #require(SystemAddress.ipv4Bits("192.0.2.1")), port: 80)
        let parts: [[UInt8]] = [
            Self.bytes(UInt32(36)), Self.bytes(UInt16(26)), Self.bytes(UInt16(1)), Self.bytes(UInt32(7)), [0, 0, 0, 0],
            [2, 32], [UInt8](repeating: 0, count: 10), [8, 0, 1, 0, 192, 0, 2, 1],
        ]
        #expect(RouteMessage.route(to: four, sequence: 7) == Array(parts.joined()))
        let (high, low) = try #require(SystemAddress.ipv6Halves("fe80::1"))
        let six = SystemAddress.ipv6(high, low, port: 0, scope: 1)
        let question = try #require(RouteMessage.route(to: six, sequence: 1))
        #expect(question.count == 16 + 12 + 20 + 8)
        #expect(question.suffix(8) == [8, 0, 4, 0] + Self.bytes(UInt32(1)))
        #expect(RouteMessage.route(to: .unix("/a"), sequence: 1) == nil)
    }

    @Test(
        "a route answer has the interface and says if packets leave by it",
        arguments: [
            (route(1, interface: 3), 3, true), (route(2, interface: 1), 1, true), (route(1), 0, true),
            (route(1, flags: 1, interface: 3), 3, false), (route(1, flags: 16, interface: 3), 3, false),
            (route(6, interface: 3), 3, false), (route(7), 0, false), (route(8), 0, false), (route(9), 0, false),
        ] as [([UInt8], UInt32, Bool)])
    func routes(datagram: [UInt8], interface: UInt32, isUsable: Bool) {
        #expect(RouteMessage.answer(to: 7, in: datagram) == .route(.init(interface: interface, isUsable: isUsable)))
        #expect(RouteMessage.answer(to: 8, in: datagram) == nil)
        #expect(RouteMessage.answer(to: 7, in: Self.message(3, 6, [0, 0, 0, 0]) + datagram) != nil)
    }

    @Test("a link runs if it is up and has a carrier")
    func links() {
        for (flags, isRunning) in [(0x10001, true), (1, false), (0x10000, false), (0, false)] as [(UInt32, Bool)] {
            let answer = RouteMessage.answer(to: 7, in: Self.link(hardware: 1, flags: flags, name: "eth0"))
            #expect(answer == .link(.init(name: "eth0", hardware: 1, isRunning: isRunning)))
        }
    }

    @Test("a refusal has its reason, and an acknowledgement is not an answer")
    func refusals() {
        #expect(
            RouteMessage.answer(to: 7, in: Self.message(2, 7, Self.bytes(Int32(-101)))) == .refused(SystemError(101)))
        for code in [0, 1, Int32.min] {
            #expect(RouteMessage.answer(to: 7, in: Self.message(2, 7, Self.bytes(code))) == nil)
        }
    }

    @Test("a truncated message, or one with wrong lengths, is not an answer and is not read beyond its end")
    func damaged() {
        for whole in [Self.route(1, interface: 3), Self.link(hardware: 1, flags: 1, name: "eth0")] {
            for count in 0..<whole.count { #expect(RouteMessage.answer(to: 7, in: Array(whole[..<count])) == nil) }
            for index in whole.indices {
                for byte: UInt8 in [0, 1, 3, 0x7F, 0xFF] {
                    var damaged = whole
                    damaged[index] = byte
                    _ = RouteMessage.answer(to: 7, in: damaged)
                }
            }
        }
    }

    @Test(
        "the device type, or the hardware type if there is none, decides the kind of a network",
        arguments: [
            (1, false, "", .ethernet), (1, true, "", .wifi), (1, false, "DEVTYPE=wlan\nINTERFACE=w", .wifi),
            (1, false, "INTERFACE=w\nDEVTYPE=wwan", .cellular), (519, false, "", .cellular),
            (772, false, "", .loopback),
            (65534, false, "", .other), (1, false, "DEVTYPE=bridge", .ethernet),
        ] as [(UInt16, Bool, String, InterfaceClass)])
    func kinds(hardware: UInt16, isWireless: Bool, event: String, kind: InterfaceClass) {
        #expect(InterfaceClass(hardware: hardware, isWireless: isWireless, event: event) == kind)
    }
}
