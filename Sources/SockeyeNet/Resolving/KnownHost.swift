/// Hosts whose addresses are known without asking anybody.
enum KnownHost {
    private static let loopback = ["::1", "127.0.0.1"]

    /// The addresses of a literal or of a name under `localhost` (RFC 6761 6.3); nil for every other name.
    ///
    /// - Throws: ``ResolveError/invalidName`` for what cannot be a name. A NUL above all: C would stop reading there and
    ///   look up another name than the one that policies were shown.
    static func addresses(of host: String, port: Int) throws(ResolveError) -> [SocketAddress]? {
        guard (1...254).contains(host.utf8.count), host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .invalidName
        }
        guard (0...65_535).contains(port) else { throw .invalidName }
        if let address = SocketAddress(literal: host, port: port) { return [address] }
        guard isLocal(host) else { return nil }
        return loopback.compactMap { SocketAddress(literal: $0, port: port) }
    }

    private static func isLocal(_ host: String) -> Bool {
        var name = host.lowercased()[...]
        if name.hasSuffix(".") { name.removeLast() }
        return name == "localhost" || name.hasSuffix(".localhost")
    }
}
