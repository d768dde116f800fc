import SockeyePlatform

/// The reference identity of a server (RFC 9525 6.1): a DNS name, which goes into SNI, or an IP address, which does not
/// (RFC 6066 3).
package enum PeerName: Sendable, Hashable {
    /// Lower case, without a trailing dot.
    case dns(String)
    /// 4 or 16 bytes in network order.
    case address([UInt8])

    /// Parses a host as it appears in a URL or a resolver query. Drops the brackets and the zone of an IPv6 address.
    ///
    /// Nil for names that no server can have: empty, longer than 255 bytes, with a leading dot, or with spaces,
    /// controls or non-ASCII bytes.
    package init?(_ host: String) {
        if let address = Self.parseAddress(host) {
            self = .address(address)
            return
        }
        var bytes = host.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        guard !bytes.isEmpty, bytes.count <= 255, bytes.first != UInt8(ascii: ".") else { return nil }
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self = .dns(String(decoding: bytes, as: UTF8.self))
    }

    private static func parseAddress(_ host: String) -> [UInt8]? {
        // The C functions would stop at a NUL and parse only the part before it.
        guard !host.utf8.contains(0) else { return nil }
        if let bits = SystemAddress.ipv4Bits(host) { return unsafe withUnsafeBytes(of: bits) { unsafe Array($0) } }
        var literal = Substring(host)
        if literal.hasPrefix("["), literal.hasSuffix("]") { literal = literal.dropFirst().dropLast() }
        if let zone = literal.firstIndex(of: "%") { literal = literal[..<zone] }
        guard let halves = SystemAddress.ipv6Halves(String(literal)) else { return nil }
        return unsafe withUnsafeBytes(of: halves) { unsafe Array($0) }
    }

    /// Returns the text form of an IP address that a certificate contains. If the address has neither 4 nor 16 bytes,
    /// the text states its length.
    static func text(ofAddress bytes: [UInt8]) -> String {
        switch bytes.count {
        case 4: bytes.map(String.init).joined(separator: ".")
        case 16:
            unsafe bytes.withUnsafeBytes {
                unsafe SystemAddress.text(
                    ofIPv6: $0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            }
        default: "malformed address of \(bytes.count) bytes"
        }
    }
}

extension PeerName: CustomStringConvertible {
    package var description: String {
        switch self {
        case .dns(let name): name
        case .address(let bytes): Self.text(ofAddress: bytes)
        }
    }
}
