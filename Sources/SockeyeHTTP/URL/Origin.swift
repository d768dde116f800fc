extension HTTPURL {
    /// The scheme, host and port of a URL: the unit of trust for credentials and connections (RFC 6454 4).
    public struct Origin: Sendable, Hashable, CustomStringConvertible {
        /// The schemes that this library speaks.
        ///
        /// This type never gains a case: HTTP has only these two schemes (RFC 9110 section 4.2).
        public enum Scheme: String, Sendable, Hashable, CustomStringConvertible {
            case http, https

            /// The default port of the scheme: 80 or 443.
            public var defaultPort: UInt16 { self == .https ? 443 : 80 }
            /// `http` or `https`.
            public var description: String { rawValue }
        }

        /// `http` or `https`.
        public let scheme: Scheme
        /// The host in lower-case ASCII: a domain name in A-label form, or an IP address without brackets and zone.
        public let host: String
        /// The IPv6 zone (`eth0` of `fe80::1%eth0`), for connecting only: it has no meaning for the peer. Nil if the
        /// host has no zone.
        @usableFromInline package let zone: String?
        @usableFromInline let portNumber: UInt16

        /// The effective port, 1 to 65535: the scheme's default if the URL names none.
        public var port: Int { Int(portNumber) }

        package init(scheme: Scheme, host: String, port: UInt16, zone: String? = nil) {
            self.scheme = scheme
            self.host = host
            self.zone = zone
            portNumber = port
        }

        /// Returns true if scheme, host, zone and port are equal. Inlinable, because each request compares an origin as
        /// a pool key.
        @inlinable
        public static func == (left: HTTPURL.Origin, right: HTTPURL.Origin) -> Bool {
            left.portNumber == right.portNumber && left.scheme == right.scheme && left.host == right.host
                && left.zone == right.zone
        }

        /// True if the port is the scheme's default.
        package var hasDefaultPort: Bool { portNumber == scheme.defaultPort }

        /// The host as in a URL: an IPv6 address has brackets.
        package var bracketedHost: String { host.utf8.contains(0x3A) ? "[\(host)]" : host }

        /// The origin as text, such as `https://example.com`, with `:port` if that is not the scheme's default. An IPv6
        /// zone is omitted.
        public var description: String {
            hasDefaultPort ? "\(scheme)://\(bracketedHost)" : "\(scheme)://\(bracketedHost):\(portNumber)"
        }
    }
}

extension HTTPURL.Origin {
    /// True if the host is this machine, by the names and addresses reserved for it (RFC 6761 6.3, RFC 5735 3, RFC 4291
    /// 2.5.3).
    package var isLoopback: Bool {
        unsafe ByteScan.withBytes(of: host.utf8) { host in
            switch unsafe host.first {
            case UInt8(ascii: "1"): unsafe Self.isLoopbackAddress(host) || Self.isLoopbackName(host)
            case UInt8(ascii: ":"): unsafe host.elementsEqual("::1".utf8)
            default: unsafe Self.isLoopbackName(host)
            }
        }
    }

    /// True if the host is `localhost` or a name below it, with or without the final dot of an absolute name.
    private static func isLoopbackName(_ host: UnsafeRawBufferPointer) -> Bool {
        let name = unsafe host.last == UInt8(ascii: ".") ? host.dropLast() : host[...]
        return unsafe name.elementsEqual("localhost".utf8) || name.suffix(10).elementsEqual(".localhost".utf8)
    }

    /// True if the host is in 127.0.0.0/8. The host must be an IPv4 address.
    var isInLoopbackNetwork: Bool { unsafe ByteScan.withBytes(of: host.utf8, Self.beginsLikeLoopback) }

    /// True if the host is an IPv4 address in 127.0.0.0/8. Checks all bytes, because a name may begin in the same way.
    private static func isLoopbackAddress(_ host: UnsafeRawBufferPointer) -> Bool {
        unsafe beginsLikeLoopback(host)
            && host.allSatisfy { $0 == UInt8(ascii: ".") || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) }
    }

    @inline(__always)
    private static func beginsLikeLoopback(_ host: UnsafeRawBufferPointer) -> Bool {
        guard host.count >= 4, let base = host.baseAddress else { return false }
        // "127."
        return unsafe UInt32(littleEndian: base.loadUnaligned(as: UInt32.self)) == 0x2E37_3231
    }
}
