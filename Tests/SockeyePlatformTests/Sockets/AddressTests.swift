import SockeyePlatform
import SockeyeTestSupport
import Testing

@Suite("Addresses and look-ups", .timeLimit(.minutes(1)))
struct AddressTests {
    @Test(
        "literals of IPv4 are parsed, and nothing else",
        arguments: [
            ("192.0.2.1", [192, 0, 2, 1]), ("0.0.0.0", [0, 0, 0, 0]), ("256.0.0.1", nil), ("1.2.3", nil),
            ("::1", nil), ("", nil),
        ] as [(String, [UInt8]?)])
    func ipv4(text: String, bytes: [UInt8]?) {
        let bits = SystemAddress.ipv4Bits(text)
        #expect(bits.map { bits in unsafe withUnsafeBytes(of: bits) { unsafe Array($0) } } == bytes)
    }

    @Test("literals of IPv6 are parsed, and nothing else")
    func ipv6() throws {
        let (high, low) = try #require(SystemAddress.ipv6Halves("2001:db8::7"))
        #expect(high == UInt64(0x2001_0db8_0000_0000).bigEndian && low == UInt64(7).bigEndian)
        for text in ["", ":", "1::2::3", "127.0.0.1", "fe80::1%lo", "[::1]"] {
            #expect(SystemAddress.ipv6Halves(text) == nil, "\(text)")
        }
    }

    @Test(
        "an IPv6 address is written in its shortest form",
        arguments: ["::", "::1", "2001:db8::1", "2001:db8:0:1:1:1:1:1", "fe80::1:0:0:1", "::ffff:192.0.2.1"])
    func text(literal: String) throws {
        let (high, low) = try #require(SystemAddress.ipv6Halves(literal))
        #expect(SystemAddress.text(ofIPv6: high, low) == literal)
    }

    @Test("a path of the greatest length is bound and read back")
    func longestPath() throws {
        #expect(SystemAddress.longestPath >= 100)
        let folder = try TemporaryFolder()
        let path = folder(String(repeating: "x", count: SystemAddress.longestPath - folder.path.utf8.count - 1))
        let socket = SystemSocket.open(for: .unix(path))
        defer { SystemSocket.close(socket) }
        #expect(SystemSocket.bind(socket, to: .unix(path)) == nil)
        #expect(SystemSocket.localAddress(socket) == .unix(path))
    }

    @Test("a socket without a name has an empty path")
    func unnamed() {
        let socket = SystemSocket.open(for: .unix(""))
        defer { SystemSocket.close(socket) }
        #expect(SystemSocket.localAddress(socket) == .unix(""))
    }

    @Test("an abstract name is bound without a file", .needs(.abstractNames))
    func abstractNames() throws {
        let name = SystemAddress.unix("\0sockeye-\(SystemProcess.identifier)\0x")
        let socket = SystemSocket.open(for: name)
        defer { SystemSocket.close(socket) }
        #expect(SystemSocket.bind(socket, to: name) == nil)
        #expect(SystemSocket.localAddress(socket) == name)
    }

    @Test("an interface that does not exist has no index")
    func interfaces() {
        #expect(SystemAddress.interfaceIndex("no-such-if") == 0)
        #expect(["lo", "lo0"].contains { SystemAddress.interfaceIndex($0) > 0 })
    }

    @Test("a literal is looked up without name servers", arguments: ["192.0.2.1", "127.0.0.1"])
    func literal(text: String) throws {
        let bits = try #require(SystemAddress.ipv4Bits(text))
        #expect(HostLookup.addresses(of: text) == .success([.ipv4(bits, port: 0)]))
    }

    @Test("localhost has addresses of this machine, without duplicates and without ports")
    func localhost() throws {
        let addresses = try HostLookup.addresses(of: "localhost").get()
        #expect(!addresses.isEmpty && Set(addresses).count == addresses.count)
        for address in addresses {
            switch address {
            case .ipv4(let bits, let port): #expect(UInt32(bigEndian: bits) >> 24 == 127 && port == 0)
            case .ipv6(_, let low, let port, _): #expect(low == UInt64(1).bigEndian && port == 0)
            case .unix: Issue.record("a path")
            }
        }
    }

    @Test(
        "looking up a name that cannot exist fails, but not for lack of resources",
        arguments: ["sockeye.invalid", "a..b", String(repeating: "x", count: 300)])
    func missing(name: String) {
        guard case .failure(let failure) = HostLookup.addresses(of: name) else {
            Issue.record("\(name) has addresses")
            return
        }
        switch failure {
        case .notFound, .temporary: break
        // Resolvers differ in their opinion of malformed names.
        case .other(_, let text): #expect(!text.isEmpty)
        case .outOfResources(let error): Issue.record("\(error)")
        }
    }
}
