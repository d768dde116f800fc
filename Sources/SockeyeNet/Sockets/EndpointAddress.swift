package import SockeyePlatform

/// The address of a socket: an IPv4 or IPv6 address with a port, or the path of a unix-domain socket.
public struct EndpointAddress: Sendable, Hashable {
    /// The kinds of address.
    @nonexhaustive public enum Family: Sendable, Hashable {
        /// An IPv4 address and a port.
        case ipv4
        /// An IPv6 address, a port and, for link-local addresses, the interface it belongs to.
        case ipv6
        /// A path in the file system, or a name in Linux's abstract name space.
        case unix
    }

    package let system: SystemAddress

    /// Parses an IPv4 or IPv6 literal without brackets. `%interface` or `%index` may follow an IPv6 address.
    ///
    /// - Returns: nil if `literal` is not an address or names an interface that does not exist, or if `port` is out of
    ///   range.
    public init?(literal: String, port: Int) {
        guard let port = UInt16(exactly: port), !literal.utf8.contains(0) else { return nil }
        if let bits = SystemAddress.ipv4Bits(literal) {
            system = .ipv4(bits, port: port)
            return
        }
        let parts = literal.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let halves = SystemAddress.ipv6Halves(String(parts[0])) else { return nil }
        var scope: UInt32 = 0
        if parts.count == 2 {
            let name = String(parts[1])
            let isNumber = name.utf8.allSatisfy { (0x30...0x39).contains($0) }
            scope = isNumber ? UInt32(name) ?? 0 : SystemAddress.interfaceIndex(name)
            guard scope != 0 else { return nil }
        }
        system = .ipv6(halves.0, halves.1, port: port, scope: scope)
    }

    /// Creates the address of a unix-domain socket; a leading NUL means a name in Linux's abstract name space.
    ///
    /// - Returns: nil if the path is empty, longer than the system accepts (107 bytes on Linux, 103 elsewhere), or
    ///   contains a NUL without beginning with one. Nil for a leading NUL on systems without abstract names.
    public init?(unixPath path: String) {
        guard !path.isEmpty, path.utf8.count <= SystemAddress.longestPath,
            path.utf8.first == 0 ? SystemFeature.abstractNames.isSupported : !path.utf8.contains(0)
        else { return nil }
        system = .unix(path)
    }

    package init(_ system: SystemAddress) {
        self.system = system
    }

    /// The kind of address.
    public var family: Family {
        switch system {
        case .ipv4: .ipv4
        case .ipv6: .ipv6
        case .unix: .unix
        }
    }

    /// The port; nil for a unix-domain socket.
    public var port: Int? {
        switch system {
        case .ipv4(_, let port), .ipv6(_, _, let port, _): Int(port)
        case .unix: nil
        }
    }

    /// The address as a literal, without port, brackets and zone; nil for a unix-domain socket.
    package var host: String? {
        switch system {
        case .ipv4: String(description.prefix { $0 != ":" })
        case .ipv6(let high, let low, _, _): SystemAddress.text(ofIPv6: high, low)
        case .unix: nil
        }
    }

    /// The address in network byte order, 4 or 16 bytes; nil for a unix-domain socket.
    package var octets: [UInt8]? {
        switch system {
        case .ipv4(let bits, _): unsafe withUnsafeBytes(of: bits) { unsafe Array($0) }
        case .ipv6(let high, let low, _, _): unsafe [high, low].withUnsafeBytes { unsafe Array($0) }
        case .unix: nil
        }
    }

    /// True for 127.0.0.0/8, ::1 and unix-domain sockets: packets to the address do not leave this machine.
    public var isLoopback: Bool {
        switch system {
        case .ipv4(let address, _): UInt32(bigEndian: address) >> 24 == 127
        case .ipv6(let high, let low, _, _): high == 0 && UInt64(bigEndian: low) == 1
        case .unix: true
        }
    }

    /// Returns the same address with another port; nil unless the port is in 0...65,535. A unix-domain address has no
    /// port, so a valid `port` leaves it unchanged.
    public func with(port: Int) -> EndpointAddress? {
        guard let number = UInt16(exactly: port) else { return nil }
        switch system {
        case .ipv4(let address, _): return EndpointAddress(.ipv4(address, port: number))
        case .ipv6(let high, let low, _, let scope):
            return EndpointAddress(.ipv6(high, low, port: number, scope: scope))
        case .unix: return self
        }
    }
}

extension EndpointAddress: CustomStringConvertible {
    /// `127.0.0.1:80`, `[::1]:80` or `unix:/path`; `unix:@name` in the abstract name space.
    public var description: String {
        switch system {
        case .ipv4(let bits, let port):
            let number = UInt32(bigEndian: bits)
            return "\(number >> 24).\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255):\(port)"
        case .ipv6(let high, let low, let port, let scope):
            let zone = scope == 0 ? "" : "%\(scope)"
            return "[\(SystemAddress.text(ofIPv6: high, low))\(zone)]:\(port)"
        case .unix(let path):
            return path.utf8.first == 0 ? "unix:@\(path.dropFirst())" : "unix:\(path)"
        }
    }
}
