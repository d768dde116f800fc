import Testing

@testable import SockeyeHTTP

@Suite("SOCKS 5")
struct SOCKS5MachineTests {
    private static let granted: [UInt8] = [5, 0, 0, 1, 127, 0, 0, 1, 0, 80]

    @Test(
        "names are sent as names and addresses as addresses",
        arguments: [
            ("example.com", [3, 11] + Array("example.com".utf8)), ("10.1.2.3", [1, 10, 1, 2, 3]),
            ("::1", [4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
        ] as [(String, [UInt8])])
    func addresses(host: String, encoded: [UInt8]) throws {
        var machine = SOCKS5Machine(host: host, port: 0x1F90, credentials: nil)
        #expect(machine.greeting == [5, 1, 0])
        #expect(try machine.receive([5, 0]) == .send([5, 1, 0] + encoded + [0x1F, 0x90]))
        #expect(try machine.receive(Self.granted.prefix(5)) == .read)
        #expect(machine.missingByteCount == 5)
        #expect(try machine.receive(Self.granted.dropFirst(5)) == .open)
        #expect(machine.missingByteCount == 0)
    }

    @Test("user name and password are sent only after the proxy chooses that method")
    func password() throws {
        var machine = SOCKS5Machine(host: "a", port: 1, credentials: ("me", "pw"))
        #expect(machine.greeting == [5, 2, 0, 2])
        #expect(try machine.receive([5, 2]) == .send([1, 2] + Array("me".utf8) + [2] + Array("pw".utf8)))
        #expect(try machine.receive([1]) == .read)
        #expect(try machine.receive([0]) == .send([5, 1, 0, 3, 1, 0x61, 0, 1]))
        var anonymous = SOCKS5Machine(host: "a", port: 1, credentials: ("me", "pw"))
        #expect(try anonymous.receive([5, 0]) == .send([5, 1, 0, 3, 1, 0x61, 0, 1]))
    }

    @Test(
        "the proxy's bound address may be a name or IPv6",
        arguments: [[3, 3, 0x61, 0x62, 0x63], [4] + Array(1...16)] as [[UInt8]])
    func boundAddresses(address: [UInt8]) throws {
        var machine = SOCKS5Machine(host: "a", port: 1, credentials: nil)
        _ = try machine.receive([5, 0])
        var rest = ([5, 0, 0] + address + [0, 80])[...]
        while rest.count > 1 {
            #expect(try machine.receive([rest.removeFirst()]) == .read)
        }
        #expect(rest.count == 1)
        #expect(try machine.receive(rest) == .open)
    }

    static let refusals: [([[UInt8]], Bool, SOCKSFault)] = [
        ([[4, 0]], false, .badVersion), ([[0x48]], false, .badVersion),
        ([[5, 0xFF]], false, .noAcceptableMethod(offeredPassword: false)),
        ([[5, 0xFF]], true, .noAcceptableMethod(offeredPassword: true)), ([[5, 2]], false, .malformed),
        ([[5, 2], [1, 1]], true, .badCredentials), ([[5, 2], [5, 0]], true, .malformed),
        ([[5, 0], [5, 5, 0, 1, 0]], false, .refused(.version5(5))), ([[5, 0], [5, 0, 0, 9, 0]], false, .malformed),
    ]

    @Test("each kind of refusal has its own fault", arguments: refusals)
    func faults(replies: [[UInt8]], hasCredentials: Bool, fault: SOCKSFault) {
        var machine = SOCKS5Machine(host: "a", port: 1, credentials: hasCredentials ? ("me", "s3cret") : nil)
        #expect(throws: fault) {
            for reply in replies { _ = try machine.receive(reply) }
        }
        #expect(!"\(fault)".contains("s3cret"))
    }
}
