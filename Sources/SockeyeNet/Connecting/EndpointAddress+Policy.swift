import SockeyePlatform

extension EndpointAddress {
    /// A filter of the addresses that the client may connect to.
    ///
    /// It is meant for services that fetch URLs given by untrusted users. Checking the URL's host beforehand is not
    /// enough: the name may resolve to another address a moment later, and a redirect may lead anywhere. The client
    /// calls the policy after name resolution, with the exact address, for every connection of a request and of its
    /// redirects.
    ///
    /// If the client uses a proxy, the policy checks the proxy's address. It also checks a target that is an IP literal
    /// or `localhost`. The proxy resolves every other target, so only the proxy's own rules can refuse the target's
    /// addresses. Proxies of the kinds `socks4` and `socks5` are exceptions: the client resolves the target's name and
    /// checks the addresses. Fetch untrusted URLs without a proxy (`proxy = .none`) or through a proxy that filters
    /// addresses.
    ///
    /// ```swift
    /// let policy = EndpointAddress.Policy { $0.scope == .global || $0 == metrics }
    /// ```
    public struct Policy: Sendable {
        private let allows: (@Sendable (EndpointAddress) -> Bool)?
        /// The name of a predefined policy in an encoded client configuration; nil for a custom policy, because a
        /// closure cannot be encoded.
        package let name: String?

        /// Allows every address. The default.
        public static let any = EndpointAddress.Policy(name: "any", allows: nil)

        /// Allows only addresses of the public internet (``EndpointAddress/Scope-swift.enum``).
        ///
        /// It refuses loopback, private and link-local networks, cloud metadata services, and IPv6 addresses that embed
        /// an IPv4 address of any of these. It cannot check names that a proxy resolves; see
        /// ``EndpointAddress/Policy``.
        public static let publicOnly = EndpointAddress.Policy(name: "publicOnly") { $0.scope == .global }

        /// Creates a policy from a check. The check is called on any thread and should not block.
        public init(_ allows: @escaping @Sendable (EndpointAddress) -> Bool) {
            self.init(name: nil, allows: allows)
        }

        private init(name: String?, allows: (@Sendable (EndpointAddress) -> Bool)?) {
            self.name = name
            self.allows = allows
        }

        /// Returns true if the client may connect to `address`.
        public func allows(_ address: EndpointAddress) -> Bool {
            allows.map { $0(address) } ?? true
        }
    }
}

extension EndpointAddress {
    /// The reach of an address, by IANA's special-purpose registries (RFC 6890).
    @nonexhaustive public enum Scope: Sendable, Hashable {
        /// This machine: 127.0.0.0/8, ::1, unix-domain sockets.
        case loopback
        /// 0.0.0.0/8 and ::. Linux treats 0.0.0.0 and :: as this machine when connecting.
        case unspecified
        /// 169.254.0.0/16 and fe80::/10, where many clouds have their metadata services.
        ///
        /// Also 168.63.129.16, which looks public but is Azure's wire server, reachable only from Azure machines.
        case linkLocal
        /// Networks of an organisation: RFC 1918, RFC 4193, fec0::/10, the shared space of 100.64.0.0/10, and NAT64
        /// with the local prefix 64:ff9b:1::/48 (RFC 8215).
        case privateUse
        /// 224.0.0.0/4 and ff00::/8.
        case multicast
        /// Documentation, benchmarks, broadcast, 6to4 relays, IETF protocol assignments (192.0.0.0/24, and 2001::/23
        /// with Teredo), 240.0.0.0/4, and IPv6 outside 2000::/3 that no other case names.
        case reserved
        /// The public internet.
        case global
    }

    /// The reach of this address.
    ///
    /// An IPv6 address that embeds an IPv4 address (mapped, compatible, NAT64 with the prefix 64:ff9b::/96, 6to4) has
    /// the scope of the embedded address, since the packets go there.
    public var scope: Scope {
        switch system {
        case .unix: .loopback
        case .ipv4(let bits, _): Self.scope(ofIPv4: UInt32(bigEndian: bits))
        case .ipv6(let high, let low, _, _): Self.scope(ofIPv6: UInt64(bigEndian: high), UInt64(bigEndian: low))
        }
    }

    /// IPv4 prefixes that are not public: multicast (RFC 5771), the deprecated 6to4 relays (RFC 7526), Azure's wire
    /// server (``Scope-swift.enum/linkLocal``), and all prefixes that IANA's special-purpose registry (RFC 6890) does
    /// not call globally reachable.
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
        // 64:ff9b:1::/48, the local prefix of NAT64.
        case 0x0064 where high >> 16 == 0x0064_FF9B_0001: return .privateUse
        // 2001::/23 is for protocols such as Teredo. 2001:db8::/32 and 3fff::/20 are for documentation.
        case 0x2001 where high >> 32 & 0xFFFF <= 0x01FF || high >> 32 & 0xFFFF == 0x0DB8: return .reserved
        case 0x3FFF where high >> 32 & 0xF000 == 0: return .reserved
        case 0x2000...0x3FFF: return .global
        default: return .reserved
        }
    }
}
