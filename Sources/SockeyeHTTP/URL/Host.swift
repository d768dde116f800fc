/// The host of a URL in normal form (WHATWG URL, 3.5).
package struct Host: Sendable, Hashable {
    package let kind: HTTPURL.HostKind
    /// The host in lower-case ASCII; an IPv6 address without brackets.
    package let name: String
    /// The zone of an IPv6 link-local address, used only to connect; nil if there is no zone.
    package let zone: String?

    /// Parses the host of an authority: a name, an IPv4 address, or an IPv6 address in brackets.
    ///
    /// - Parameter bytes: UTF-8, without port.
    package init(_ bytes: ArraySlice<UInt8>) throws(HostFault) {
        guard let first = bytes.first else { throw .empty }
        if first == 0x5B {
            self = try Self.literal(bytes)
        } else {
            self = try Self.domain(bytes)
        }
    }

    package init(kind: HTTPURL.HostKind, name: String, zone: String? = nil) {
        self.kind = kind
        self.name = name
        self.zone = zone
    }

    private static func literal(_ bytes: ArraySlice<UInt8>) throws(HostFault) -> Host {
        guard bytes.last == 0x5D else { throw .invalidIPv6 }
        let inner = bytes.dropFirst().dropLast()
        let percent = inner.firstIndex(of: 0x25) ?? inner.endIndex
        guard let address = IPv6Address(inner[..<percent]) else { throw .invalidIPv6 }
        guard percent < inner.endIndex else { return Host(kind: .ipv6, name: address.description) }
        // RFC 6874: "%25" and a zone. Interface names have at most 15 bytes, and only link-local addresses need a zone.
        let zone = inner[percent...].dropFirst(3)
        guard inner[percent...].starts(with: "%25".utf8), address.isLinkLocal, (1...15).contains(zone.count),
            zone.allSatisfy(ASCIISet.unreserved.contains)
        else { throw .invalidIPv6 }
        return Host(kind: .ipv6, name: address.description, zone: String(decoding: zone, as: UTF8.self))
    }

    private static func domain(_ bytes: ArraySlice<UInt8>) throws(HostFault) -> Host {
        var name = bytes.contains(0x25) ? PercentEncoding.decode(bytes) : Array(bytes)
        if name.contains(where: { $0 >= 0x80 }) {
            // A limit on the time of IDNA processing, which is partly quadratic. The ASCII form of a longer name would
            // exceed the 253 bytes of DNS anyway, unless UTS 46 removed most of the name's code points.
            guard name.count <= 4096 else { throw .tooLong }
            guard let unicode = String(validating: name, as: UTF8.self) else { throw .invalid }
            guard let ascii = IDNA.toASCII(unicode) else { throw .international }
            name = Array(ascii.utf8)
        } else {
            for index in name.indices where (0x41...0x5A).contains(name[index]) { name[index] |= 0x20 }
        }
        guard !name.isEmpty else { throw .empty }
        guard !name.contains(where: forbidden.contains) else { throw .invalid }
        if IPv4Address.isNumeric(host: name) {
            guard let address = IPv4Address(lenient: name) else { throw .invalidIPv4 }
            return Host(kind: .ipv4, name: address.description)
        }
        try checkLengths(name)
        return Host(kind: .name, name: String(decoding: name, as: UTF8.self))
    }

    /// Checks the length limits of DNS (RFC 1035, 2.3.4). The name may end in one dot.
    private static func checkLengths(_ name: [UInt8]) throws(HostFault) {
        let relative = name.last == 0x2E ? name.dropLast() : name[...]
        for label in relative.split(separator: 0x2E, omittingEmptySubsequences: false) {
            guard !label.isEmpty else { throw .invalid }
            guard label.count <= 63 else { throw .tooLong }
        }
        guard relative.count <= 253 else { throw .tooLong }
    }

    /// The forbidden domain code points of the WHATWG URL standard, 3.2: URL delimiters, blanks, controls and `%`.
    private static let forbidden = ASCIISet.controls.union(ASCIISet(" #%/:<>?@[\\]^|"))
}

extension HTTPURL {
    /// The kind of a URL's host.
    @nonexhaustive public enum HostKind: Sendable, Hashable {
        /// A domain name, to be resolved.
        case name
        /// An IPv4 address.
        case ipv4
        /// An IPv6 address.
        case ipv6
    }
}

/// The reason why bytes are not a valid host.
package enum HostFault: Error, Sendable, Hashable {
    case empty
    /// The host has a forbidden character, possibly percent-encoded, or an empty label, or is not UTF-8.
    case invalid
    /// The ASCII form exceeds a limit of DNS: 63 bytes for each label, 253 bytes in total. Or a non-ASCII host has more
    /// than 4096 bytes of UTF-8.
    case tooLong
    /// The last label is a number, but the host is not an IPv4 address.
    case invalidIPv4
    /// The text in brackets is not an IPv6 address, or its zone is not acceptable.
    case invalidIPv6
    /// UTS 46 processing failed.
    case international
}
