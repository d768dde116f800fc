/// Fixed addresses of some hosts, which take precedence over the resolver, like curl's `--resolve`.
///
/// Hosts are compared in lower case and without a final dot.
package struct HostOverrides: Sendable, Hashable {
    private struct Key: Hashable {
        let host: String
        /// Nil means every port.
        let port: Int?
    }

    private var entries: [Key: [EndpointAddress]] = [:]

    package init() {}

    /// Creates overrides from a table with keys of the form `host` or `host:port`. An IPv6 address with a port needs
    /// brackets: `[::1]:443`.
    ///
    /// - Parameter form: Converts each host of the table to the form in which hosts are looked up.
    package init(_ table: [String: [EndpointAddress]], form: (String) -> String = { $0 }) {
        // Sorted for a deterministic result: if several keys name the same host and port, the last key in this order
        // counts.
        for (name, addresses) in table.sorted(by: { $0.key < $1.key }) {
            let (host, port) = Self.split(name)
            set(form(host), port: port, to: addresses)
        }
    }

    /// Sets the addresses of a host on one port. If `port` is nil, sets them on all ports that have no entry of their
    /// own.
    ///
    /// The addresses keep their ports; port 0 stands for the requested port. With an empty list every look-up of the
    /// host fails.
    package mutating func set(_ host: String, port: Int? = nil, to addresses: [EndpointAddress]) {
        entries[Key(host: Self.normalized(host), port: port)] = addresses
    }

    /// The fixed addresses of a host for one port; nil if the host has no entry for the port.
    package func addresses(of host: String, port: Int) -> [EndpointAddress]? {
        guard !entries.isEmpty else { return nil }
        let host = Self.normalized(host)
        let found = entries[Key(host: host, port: port)] ?? entries[Key(host: host, port: nil)]
        return found?.compactMap { $0.port == 0 ? $0.with(port: port) : $0 }
    }

    /// True unless all addresses are loopback addresses.
    package var hasRemoteAddresses: Bool { entries.values.contains { !$0.allSatisfy(\.isLoopback) } }

    /// Returns true if the overrides give the host an address that is not a loopback address.
    package func leadsAway(_ host: String, port: Int) -> Bool {
        addresses(of: host, port: port).map { !$0.allSatisfy(\.isLoopback) } ?? false
    }

    private static func normalized(_ host: String) -> String {
        let host = host.lowercased()
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    private static func split(_ name: String) -> (host: String, port: Int?) {
        guard let colon = name.lastIndex(of: ":"), let port = UInt16(name[name.index(after: colon)...]) else {
            return (unbracketed(name), nil)
        }
        let host = String(name[..<colon])
        // In an IPv6 address without brackets the last colon does not begin a port.
        return host.contains(":") && !host.hasPrefix("[") ? (name, nil) : (unbracketed(host), Int(port))
    }

    private static func unbracketed(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}

/// Hosts that need no look-up: IP literals and `localhost` (RFC 6761 6.3).
package enum LiteralHost {
    private static let loopback = ["::1", "127.0.0.1"]

    /// The addresses of a literal, of `localhost` or of a name under it; nil for every other name.
    ///
    /// - Throws: ``ResolveError/invalidName`` if `host` cannot be a name, or `port` is out of range. The check of the
    ///   name also protects resolvers that pass the name to a C function. A NUL would end the C string early, so that
    ///   the function would look up another name than the one that policies have checked.
    package static func addresses(of host: String, port: Int) throws(ResolveError) -> [EndpointAddress]? {
        guard (1...254).contains(host.utf8.count), host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .invalidName
        }
        guard (0...65_535).contains(port) else { throw .invalidName }
        if let address = EndpointAddress(literal: host, port: port) { return [address] }
        guard isLocal(host) else { return nil }
        return loopback.compactMap { EndpointAddress(literal: $0, port: port) }
    }

    private static func isLocal(_ host: String) -> Bool {
        var name = host.lowercased()[...]
        if name.hasSuffix(".") { name.removeLast() }
        return name == "localhost" || name.hasSuffix(".localhost")
    }
}
