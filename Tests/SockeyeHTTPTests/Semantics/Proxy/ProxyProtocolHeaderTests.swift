import Testing

@testable import SockeyeHTTP

/// The examples and tables of HAProxy's proxy-protocol.txt.
@Suite("The header of the PROXY protocol")
struct ProxyProtocolHeaderTests {
    private static let ipv4 = ProxyProtocolHeader.Ends(
        source: [192, 168, 0, 1], sourcePort: 56324, destination: [192, 168, 0, 11], destinationPort: 443)
    private static let ipv6 = ProxyProtocolHeader.Ends(
        source: [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1], sourcePort: 1,
        destination: [UInt8](repeating: 0, count: 15) + [1], destinationPort: 65535)
    private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10] + Array("QUIT\n".utf8)

    @Test("version 1 of the header is a line of text")
    func text() {
        func line(_ ends: ProxyProtocolHeader.Ends?) -> String {
            String(decoding: ProxyProtocolHeader.version1(ends), as: UTF8.self)
        }
        #expect(line(Self.ipv4) == "PROXY TCP4 192.168.0.1 192.168.0.11 56324 443\r\n")
        #expect(line(Self.ipv6) == "PROXY TCP6 2001:db8:0:0:0:0:0:1 0:0:0:0:0:0:0:1 1 65535\r\n")
        #expect(line(nil) == "PROXY UNKNOWN\r\n")
    }

    @Test("version 2 of the header is binary")
    func bytes() {
        let addresses: [UInt8] = [192, 168, 0, 1, 192, 168, 0, 11, 0xDC, 0x04, 0x01, 0xBB]
        #expect(ProxyProtocolHeader.version2(Self.ipv4) == Self.signature + [0x21, 0x11, 0, 12] + addresses)
        let long = ProxyProtocolHeader.version2(Self.ipv6)
        #expect(long.starts(with: Self.signature + [0x21, 0x21, 0, 36, 0x20, 0x01]) && long.count == 12 + 4 + 36)
        #expect(ProxyProtocolHeader.version2(nil) == Self.signature + [0x20, 0, 0, 0])
    }

    @Test("two ends of different address families are refused")
    func mixed() {
        #expect(
            ProxyProtocolHeader.Ends(
                source: [1, 2, 3, 4], sourcePort: 1, destination: [UInt8](repeating: 0, count: 16), destinationPort: 1)
                == nil)
    }
}
