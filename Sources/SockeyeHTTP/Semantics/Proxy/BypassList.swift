/// The hosts that are reached without a proxy: the value of `no_proxy`.
///
/// There is no standard for this value. The entries are separated by commas or line ends, and white space around them
/// is ignored. Each entry has one of these forms:
///
/// - `example.com` or `.example.com`: this name and all names below it, ignoring case; `*.example.com` means the same.
///   A final dot of the entry or of the host is ignored, and an internationalized name matches its A-labels.
/// - An IP address, or a network such as `10.0.0.0/8` and `fd00::/8`. An IPv6 address may be in brackets.
/// - `*`: every host.
///
/// Names and single addresses may be followed by `:port` and then match that port only; an IPv6 address then needs
/// brackets. Any other entry matches nothing, for example one with a blank inside.
package struct BypassList: Sendable, Hashable {
    private let entries: [BypassEntry]

    package init(_ text: String) {
        entries = text.unicodeScalars.split { $0 == "," || $0 == "\n" || $0 == "\r" }
            .compactMap { BypassEntry(Substring($0.trimmingWhitespace)) }
    }

    /// Returns true if a host and port must be reached without a proxy. An IPv6 address must be passed without
    /// brackets.
    package func contains(host: String, port: Int) -> Bool {
        guard !entries.isEmpty else { return false }
        let host = BypassEntry.Host(host)
        return entries.contains { $0.matches(host, port: port) }
    }
}

/// One entry of a ``BypassList``.
struct BypassEntry: Sendable, Hashable {
    /// A request's host in the form for comparisons.
    enum Host: Sendable, Hashable {
        case name(String)
        case address(IPNetwork)

        init(_ text: some StringProtocol) {
            let text = String(text)
            self = IPNetwork(address: text).map { .address($0) } ?? .name(BypassEntry.normalized(text))
        }
    }

    private enum Pattern: Sendable, Hashable {
        case any
        /// A name and all names below it.
        case domain(String)
        case network(IPNetwork)
    }

    private let pattern: Pattern
    /// The only port that the entry matches; nil for all ports.
    private let port: Int?

    /// Parses an entry; nil if it is malformed and therefore matches nothing.
    init?(_ text: Substring) {
        guard !text.isEmpty, !text.unicodeScalars.contains(where: \.properties.isWhitespace) else { return nil }
        if text == "*" {
            (pattern, port) = (.any, nil)
        } else if text.contains("/") {
            guard let network = IPNetwork(text) else { return nil }
            (pattern, port) = (.network(network), nil)
        } else if let address = IPNetwork(address: String(text)) {
            (pattern, port) = (.network(address), nil)
        } else {
            guard let (host, port) = Self.splitPort(text) else { return nil }
            self.port = port
            switch Host(host) {
            case .address(let address): pattern = .network(address)
            case .name(let name):
                let name = name.hasPrefix("*.") ? name.dropFirst(2) : name.drop { $0 == "." }
                guard !name.isEmpty else { return nil }
                pattern = .domain(String(name))
            }
        }
    }

    func matches(_ host: Host, port: Int) -> Bool {
        guard self.port == nil || self.port == port else { return false }
        return switch (pattern, host) {
        case (.any, _): true
        case (.domain(let domain), .name(let name)): name == domain || name.hasSuffix("." + domain)
        case (.network(let network), .address(let address)): network.contains(address)
        default: false
        }
    }

    /// Splits `host:port` or `[address]:port`; the port is optional. Nil if the port is invalid.
    private static func splitPort(_ text: Substring) -> (host: Substring, port: Int?)? {
        var host = text
        var port: Int?
        if let colon = text.lastIndex(of: ":"), text.last != "]" {
            let digits = text[text.index(after: colon)...]
            // UInt16 also accepts a plus sign.
            guard digits.utf8.allSatisfy(ASCIISet.digits.contains), let number = UInt16(digits), number > 0 else {
                return nil
            }
            host = text[..<colon]
            port = Int(number)
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        return (host, port)
    }

    private static func normalized(_ name: String) -> String {
        let name = IDNA.toASCII(name) ?? name.lowercased()
        return name.hasSuffix(".") ? String(name.dropLast()) : name
    }
}

/// An IP address or network, such as `10.0.0.0/8` (RFC 4632 3.1, RFC 4291 2.3).
struct IPNetwork: Sendable, Hashable {
    /// The bytes of the address: 4 or 16.
    let bytes: [UInt8]
    /// The number of leading bits that all addresses of the network share.
    private let prefix: Int

    /// Parses a single address, IPv6 without brackets; nil for any other text.
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

    /// Parses an address, a slash and the number of leading bits; nil for any other text.
    init?(_ text: Substring) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count <= 3, parts[1].utf8.allSatisfy(ASCIISet.digits.contains),
            let address = IPNetwork(address: String(parts[0])), let bits = Int(parts[1]), bits <= address.prefix
        else { return nil }
        bytes = address.bytes
        prefix = bits
    }

    /// Returns true if a single address belongs to the network.
    func contains(_ address: IPNetwork) -> Bool {
        guard address.bytes.count == bytes.count else { return false }
        let (whole, rest) = prefix.quotientAndRemainder(dividingBy: 8)
        guard bytes[..<whole] == address.bytes[..<whole] else { return false }
        return rest == 0 || (bytes[whole] ^ address.bytes[whole]) >> (8 - rest) == 0
    }
}

extension Substring.UnicodeScalarView {
    /// The text without white space at both ends.
    package var trimmingWhitespace: Self {
        var rest = self
        while rest.first?.properties.isWhitespace == true { rest.removeFirst() }
        while rest.last?.properties.isWhitespace == true { rest.removeLast() }
        return rest
    }
}
