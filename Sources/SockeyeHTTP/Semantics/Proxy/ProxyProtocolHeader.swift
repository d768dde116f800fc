/// The header of HAProxy's PROXY protocol. It begins a connection from a TCP proxy to a server, and tells the server
/// the addresses of the client's connection to the proxy (haproxy.org/download/3.0/doc/proxy-protocol.txt, sections 2.1
/// and 2.2).
package enum ProxyProtocolHeader {
    /// The two ends of a connection: addresses of one family, 4 or 16 bytes each.
    package struct Ends: Sendable, Hashable {
        package let source: [UInt8]
        package let sourcePort: Int
        package let destination: [UInt8]
        package let destinationPort: Int

        /// Nil unless the addresses have the same length, 4 or 16 bytes.
        package init?(source: [UInt8], sourcePort: Int, destination: [UInt8], destinationPort: Int) {
            guard source.count == destination.count, source.count == 4 || source.count == 16 else { return nil }
            self.source = source
            self.sourcePort = sourcePort
            self.destination = destination
            self.destinationPort = destinationPort
        }
    }

    /// Returns the header of version 1, a line of text.
    ///
    /// - Parameter ends: The ends; nil if unknown, as for a unix-domain socket.
    package static func version1(_ ends: Ends?) -> [UInt8] {
        guard let ends else { return Array("PROXY UNKNOWN\r\n".utf8) }
        let family = ends.source.count == 4 ? "TCP4" : "TCP6"
        let addresses = "\(text(ends.source)) \(text(ends.destination))"
        return Array("PROXY \(family) \(addresses) \(ends.sourcePort) \(ends.destinationPort)\r\n".utf8)
    }

    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]

    /// Returns the header of version 2, in binary.
    ///
    /// - Parameter ends: The ends; nil if unknown. The header then says LOCAL.
    package static func version2(_ ends: Ends?) -> [UInt8] {
        guard let ends else { return signature + [0x20, 0x00, 0x00, 0x00] }
        let ports = [ends.sourcePort, ends.destinationPort].flatMap { port in
            [UInt8(truncatingIfNeeded: port >> 8), UInt8(truncatingIfNeeded: port)]
        }
        let addresses = ends.source + ends.destination + ports
        // The byte after the signature means version 2 and the command PROXY. The next byte means the address family
        // and TCP. Two bytes with the length of the addresses and ports follow.
        return signature + [0x21, ends.source.count == 4 ? 0x11 : 0x21, 0x00, UInt8(addresses.count)] + addresses
    }

    private static func text(_ address: [UInt8]) -> String {
        if address.count == 4 { return address.map(String.init).joined(separator: ".") }
        // Without `::`, so that recipients need not support it.
        return stride(from: 0, to: 16, by: 2).map { (index: Int) -> String in
            let group = UInt16(address[index]) << 8 | UInt16(address[index + 1])
            return String(group, radix: 16)
        }.joined(separator: ":")
    }
}
