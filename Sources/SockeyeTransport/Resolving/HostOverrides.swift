/// Fixed addresses for some hosts, asked before anything else; what curl calls `--resolve`.
package struct HostOverrides: Sendable, Hashable {
    private struct Key: Hashable {
        let host: String
        /// Nil stands for every port.
        let port: Int?
    }

    private var entries: [Key: [SocketAddress]] = [:]

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

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
}
