/// An IP address or a network of them, such as `10.0.0.0/8` (RFC 4632 3.1, RFC 4291 2.3).
struct IPNetwork: Sendable, Hashable {
    /// The bytes of the address: 4 or 16.
    let bytes: [UInt8]
    /// How many bits at the start all addresses of the network share.
    private let prefix: Int

    /// A single address, IPv6 without brackets.
    init?(address text: String) {
        if let address = IPv4Address(text) {
            bytes = (0..<4).map { UInt8(truncatingIfNeeded: address.value >> (24 - 8 * $0)) }
        } else if let address = IPv6Address(text.utf8) {
            bytes = (0..<16).map { UInt8(truncatingIfNeeded: address.groups[$0 / 2] >> ($0 % 2 == 0 ? 8 : 0)) }
        } else {
            return nil
        }
        prefix = 8 * bytes.count
    }

    /// An address, a slash and a number of bits.
    init?(_ text: Substring) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count <= 3, parts[1].utf8.allSatisfy(ASCIISet.digits.contains),
            let address = IPNetwork(address: String(parts[0])), let bits = Int(parts[1]), bits <= address.prefix
        else { return nil }
        bytes = address.bytes
        prefix = bits
    }

    /// Whether a single address is one of the network's.
    func contains(_ address: IPNetwork) -> Bool {
        guard address.bytes.count == bytes.count else { return false }
        let (whole, rest) = prefix.quotientAndRemainder(dividingBy: 8)
        guard bytes[..<whole] == address.bytes[..<whole] else { return false }
        return rest == 0 || (bytes[whole] ^ address.bytes[whole]) >> (8 - rest) == 0
    }
}
