import SockeyePlatform

extension EndpointAddress {
    /// Which addresses the client may connect to, asked with the very address that is about to be connected to.
    ///
    /// For services that fetch URLs given by strangers: a check of the URL's host beforehand is not enough, because a name
    /// may resolve to another address a moment later, and because a redirect may lead anywhere. This one is asked for every
    /// connection of every hop, after the look-up.
    ///
    /// Through a proxy it is asked about the proxy's address, and about a target that is an IP literal or `localhost`. Another
    /// name is resolved by the proxy (but for the kinds `socks4` and `socks5`, for which the client resolves it and asks), and
    /// only the proxy's own rules can keep it from an address that it should not connect to. Fetch URLs of strangers without a
    /// proxy, `proxy = .none`, or through one that refuses by itself.
    ///
    /// ```swift
    /// let policy = EndpointAddress.Policy { $0.scope == .global || $0 == metrics }
    /// ```
    public struct Policy: Sendable {
        private let allows: (@Sendable (EndpointAddress) -> Bool)?
        /// What a policy of the library is called in archives.
        package let name: String?

        /// Allows every address. The default.
        public static let any = EndpointAddress.Policy(name: "any", allows: nil)

        /// Allows addresses of the public internet only: no loopback, no private or link-local network, no cloud's metadata
        /// service, no tunnel into one of these (``EndpointAddress/Scope-swift.enum``). It cannot judge names that a proxy
        /// resolves; see above.
        public static let publicOnly = EndpointAddress.Policy(name: "publicOnly") { $0.scope == .global }

        /// Makes a policy from a check, which is called on any thread and should not block.
        public init(_ allows: @escaping @Sendable (EndpointAddress) -> Bool) {
            self.init(name: nil, allows: allows)
        }

        private init(name: String?, allows: (@Sendable (EndpointAddress) -> Bool)?) {
            self.name = name
            self.allows = allows
        }

        /// Whether `address` may be connected to.
        public func allows(_ address: EndpointAddress) -> Bool {
            allows.map { $0(address) } ?? true
        }
    }
}

extension EndpointAddress {
    /// How far an address reaches, by the special-purpose registries of IANA (RFC 6890).
    @nonexhaustive public enum Scope: Sendable, Hashable {
        /// This machine: 127.0.0.0/8, ::1, unix-domain sockets.
        case loopback
        /// 0.0.0.0/8 and ::, which Linux takes for this machine when connecting.
        case unspecified
        /// 169.254.0.0/16 and fe80::/10; the home of many clouds' metadata services. And 168.63.129.16, which looks public but
        /// is Azure's wire server, reached from its machines only.
        case linkLocal
        /// Networks of an organisation: RFC 1918, RFC 4193, fec0::/10, and the shared space of 100.64.0.0/10.
        case privateUse
        /// 224.0.0.0/4 and ff00::/8.
        case multicast
        /// Documentation, benchmarks, tunnels, broadcast and whatever is not assigned.
        case reserved
        /// The public internet.
        case global
    }

    /// How far this address reaches. Of an IPv6 address that stands for an IPv4 one (mapped, compatible, NAT64, 6to4) it
    /// is that one's scope, since that is where the packets go.
    public var scope: Scope {
        switch system {
        case .unix: .loopback
        case .ipv4(let bits, _): Self.scope(ofIPv4: UInt32(bigEndian: bits))
        case .ipv6(let high, let low, _, _): Self.scope(ofIPv6: UInt64(bigEndian: high), UInt64(bigEndian: low))
        }
    }

    /// Prefixes of IPv4 that are not public: those of IANA's registry of special purposes (RFC 6890) that it does not call
    /// globally reachable, and the deprecated relays of 6to4 (RFC 7526).
    private static let ipv4Prefixes: [(prefix: UInt32, length: UInt32, scope: Scope)] = [
        (0xA83F_8110, 32, .linkLocal), (0x0000_0000, 8, .unspecified), (0x0A00_0000, 8, .privateUse),
        (0x6440_0000, 10, .privateUse),
        (0x7F00_0000, 8, .loopback), (0xA9FE_0000, 16, .linkLocal), (0xAC10_0000, 12, .privateUse),
        (0xC000_0000, 24, .reserved), (0xC000_0200, 24, .reserved), (0xC058_6300, 24, .reserved),
        (0xC0A8_0000, 16, .privateUse), (0xC612_0000, 15, .reserved), (0xC633_6400, 24, .reserved),
        (0xCB00_7100, 24, .reserved), (0xE000_0000, 4, .multicast), (0xF000_0000, 4, .reserved),
    ]

    private static func scope(ofIPv4 address: UInt32) -> Scope {
        ipv4Prefixes.first { ($0.prefix ^ address) >> (32 - $0.length) == 0 }?.scope ?? .global
    }

    private static func scope(ofIPv6 high: UInt64, _ low: UInt64) -> Scope {
        switch high {
        case 0 where low == 0: return .unspecified
        case 0 where low == 1: return .loopback
        case 0 where low >> 32 == 0xFFFF || low >> 32 == 0: return scope(ofIPv4: UInt32(truncatingIfNeeded: low))
        case 0x0064_FF9B_0000_0000 where low >> 32 == 0: return scope(ofIPv4: UInt32(truncatingIfNeeded: low))
        default: break
        }
        switch high >> 48 {
        case 0x2002: return scope(ofIPv4: UInt32(truncatingIfNeeded: high >> 16))
        case 0xFE80...0xFEBF: return .linkLocal
        case 0xFC00...0xFDFF, 0xFEC0...0xFEFF: return .privateUse
        case 0xFF00...0xFFFF: return .multicast
        // 64:ff9b:1::/48, a translator's local prefix.
        case 0x0064 where high >> 16 == 0x0064_FF9B_0001: return .privateUse
        // 2001::/23 is for protocols such as Teredo, 2001:db8::/32 and 3fff::/20 are for documentation.
        case 0x2001 where high >> 32 & 0xFFFF <= 0x01FF || high >> 32 & 0xFFFF == 0x0DB8: return .reserved
        case 0x3FFF where high >> 32 & 0xF000 == 0: return .reserved
        case 0x2000...0x3FFF: return .global
        default: return .reserved
        }
    }
}
