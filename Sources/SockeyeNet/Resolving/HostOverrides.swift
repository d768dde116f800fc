/// Fixed addresses for some hosts, asked before anything else; what curl calls `--resolve`.
package struct HostOverrides: Sendable, Hashable {
    private struct Key: Hashable {
        let host: String
        /// Nil stands for every port.
        let port: Int?
    }

    private var entries: [Key: [SocketAddress]] = [:]

    package init() {}

    /// Takes a table by `host` or `host:port`; an IPv6 address with a port stands in brackets, `[::1]:443`.
    package init(_ table: [String: [SocketAddress]]) {
        for (name, addresses) in table {
            let (host, port) = Self.split(name)
            set(host, port: port, to: addresses)
        }
    }

    /// Sets the addresses of a host on one port, or with nil on all ports that have no entry of their own.
    ///
    /// The addresses keep their own ports; one of port 0 takes the port that is asked for. No addresses at all make the
    /// host unknown.
    package mutating func set(_ host: String, port: Int? = nil, to addresses: [SocketAddress]) {
        entries[Key(host: host.lowercased(), port: port)] = addresses
    }

    package func addresses(of host: String, port: Int) -> [SocketAddress]? {
        guard !entries.isEmpty else { return nil }
        let host = host.lowercased()
        let found = entries[Key(host: host, port: port)] ?? entries[Key(host: host, port: nil)]
        return found?.map { $0.port == 0 ? $0.with(port: port) : $0 }
    }

    private static func split(_ name: String) -> (host: String, port: Int?) {
        guard let colon = name.lastIndex(of: ":"), let port = UInt16(name[name.index(after: colon)...]) else {
            return (unbracketed(name), nil)
        }
        let host = String(name[..<colon])
        // A bare IPv6 address is full of colons, none of which begins a port.
        return host.contains(":") && !host.hasPrefix("[") ? (name, nil) : (unbracketed(host), Int(port))
    }

    private static func unbracketed(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}
