import CSockeyeSystem

/// The address of a socket.
package enum SystemAddress: Sendable, Hashable {
    /// The address in network byte order.
    case ipv4(UInt32, port: UInt16)
    /// The high and the low half of the address, each in network byte order.
    case ipv6(UInt64, UInt64, port: UInt16, scope: UInt32)
    /// A path. If it begins with a NUL, the rest is a name in the abstract name space (unix(7)), which only some
    /// systems have (``SystemFeature/abstractNames``).
    case unix(String)

    /// The longest path of a unix-domain socket, in bytes.
    package static var longestPath: Int { sockeye_longest_unix_path() }

    /// The address family, as the C functions take it.
    package var family: sockeye_family {
        switch self {
        case .ipv4: sockeye_family_ipv4
        case .ipv6: sockeye_family_ipv6
        case .unix: sockeye_family_unix
        }
    }

    /// Converts the result of `sockeye_address_read`; nil unless it is an IPv4, IPv6 or unix-domain address.
    init?(_ parts: sockeye_endpoint) {
        switch unsafe parts.family {
        case sockeye_family_ipv4: self = unsafe .ipv4(parts.bits, port: parts.port)
        case sockeye_family_ipv6: self = unsafe .ipv6(parts.high, parts.low, port: parts.port, scope: parts.scope)
        case sockeye_family_unix:
            let path = unsafe UnsafeRawBufferPointer(start: parts.path, count: parts.path_length)
            self = unsafe .unix(String(decoding: path, as: UTF8.self))
        default: return nil
        }
    }

    /// Converts the bytes of an address; nil unless it is a complete IPv4, IPv6 or unix-domain address.
    package init?(_ bytes: UnsafeRawPointer, length: UInt32) {
        var parts = unsafe sockeye_endpoint()
        guard unsafe sockeye_address_read(bytes, length, &parts) else { return nil }
        unsafe self.init(parts)
    }

    init?(_ address: sockeye_address) {
        var storage = address.storage
        let length = address.length
        let read = unsafe withUnsafeBytes(of: &storage) { unsafe SystemAddress($0.baseAddress!, length: length) }
        guard let read else { return nil }
        self = read
    }

    /// Calls `body` with the bytes of the address in the system's form; the pointer is valid only during the call.
    func withBytes<Result>(_ body: (UnsafeRawPointer, UInt32) -> Result) -> Result {
        var address = sockeye_address()
        switch self {
        case .ipv4(let bits, let port): unsafe sockeye_address_set_ipv4(&address, bits, port)
        case .ipv6(let high, let low, let port, let scope):
            unsafe sockeye_address_set_ipv6(&address, high, low, port, scope)
        case .unix(let path):
            precondition(path.utf8.count <= Self.longestPath, "a path of more than \(Self.longestPath) bytes")
            unsafe sockeye_address_set_unix(&address, path, path.utf8.count)
        }
        return unsafe withUnsafeBytes(of: &address.storage) { unsafe body($0.baseAddress!, address.length) }
    }
}

// MARK: Text of IP addresses

extension SystemAddress {
    /// Parses an IPv4 literal into its bits in network byte order (inet_pton(3)); nil for other text. `text` must not
    /// contain a NUL, which would end the C string.
    package static func ipv4Bits(_ text: String) -> UInt32? {
        var bits: UInt32 = 0
        return unsafe sockeye_parse_ipv4(text, &bits) ? bits : nil
    }

    /// Parses an IPv6 literal, without brackets or a zone, into its high and its low half, each in network byte order;
    /// nil for other text. `text` must not contain a NUL.
    package static func ipv6Halves(_ text: String) -> (UInt64, UInt64)? {
        var (high, low): (UInt64, UInt64) = (0, 0)
        return unsafe sockeye_parse_ipv6(text, &high, &low) ? (high, low) : nil
    }

    /// Returns an IPv6 address in its shortest form (RFC 5952).
    package static func text(ofIPv6 high: UInt64, _ low: UInt64) -> String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(SOCKEYE_IPV6_TEXT_SIZE)) { text in
            unsafe sockeye_ipv6_text(high, low, text.baseAddress)
            return unsafe String(cString: text.baseAddress!)
        }
    }

    /// Returns the index of a network interface, for the zone of an IPv6 address; 0 if the interface does not exist.
    package static func interfaceIndex(_ name: String) -> UInt32 { unsafe sockeye_interface_index(name) }
}
