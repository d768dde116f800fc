import Testing

@testable import SockeyeHTTP

@Suite("SOCKS 4")
struct SOCKS4MachineTests {
    @Test("the request carries an address directly, and a name after an invalid address (4A)")
    func greetings() throws {
        let plain = try SOCKS4Machine(host: "10.1.2.3", port: 0x1F90, user: nil)
        #expect(plain.greeting == [4, 1, 0x1F, 0x90, 10, 1, 2, 3, 0])
        let named = try SOCKS4Machine(host: "a.test", port: 80, user: "me")
        #expect(named.greeting == [4, 1, 0, 80, 0, 0, 0, 1, 0x6D, 0x65, 0] + Array("a.test".utf8) + [0])
        #expect(throws: SOCKSFault.noIPv6) { try SOCKS4Machine(host: "::1", port: 80, user: nil) }
        #expect(!SOCKS4Machine.canSend("a\0b") && SOCKS4Machine.canSend(String(repeating: "a", count: 255)))
        #expect(!SOCKS4Machine.canSend(String(repeating: "a", count: 256)))
    }

    static let replies: [([UInt8], Result<SOCKSStep, SOCKSFault>)] = [
        ([0, 90, 1, 2, 3, 4, 5, 6], .success(.open)), ([4, 90, 1, 2, 3, 4, 5, 6], .success(.open)),
        ([0, 91, 0, 0, 0, 0, 0, 0], .failure(.refused(.version4(91)))),
        ([0, 92, 0, 0, 0, 0, 0, 0], .failure(.refused(.version4(92)))),
        ([0, 93, 0, 0, 0, 0, 0, 0], .failure(.refused(.version4(93)))),
        ([0, 0, 0, 0, 0, 0, 0, 0], .failure(.refused(.version4(0)))), ([5, 0], .failure(.badVersion)),
        ([0x48, 0x54], .failure(.badVersion)), ([0, 90], .success(.read)),
    ]

    @Test("a reply has the same meaning whole and byte by byte", arguments: replies)
    func reads(reply: [UInt8], outcome: Result<SOCKSStep, SOCKSFault>) throws {
        var whole = try SOCKS4Machine(host: "a", port: 1, user: nil)
        #expect(Result { () throws(SOCKSFault) in try whole.receive(reply) } == outcome)
        var single = try SOCKS4Machine(host: "a", port: 1, user: nil)
        var last = Result<SOCKSStep, SOCKSFault>.success(.read)
        for byte in reply {
            guard case .success(.read) = last else { break }
            last = Result { () throws(SOCKSFault) in try single.receive([byte]) }
        }
        #expect(last == outcome)
    }
}
