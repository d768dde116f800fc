/// Knows the hosts of a table, and leaves the others to another resolver or to nobody.
package struct StaticResolver: Resolver {
    private let table: HostOverrides
    private let fallback: (any Resolver)?

    package init(_ table: HostOverrides, fallback: (any Resolver)? = nil) {
        self.table = table
        self.fallback = fallback
    }

    package func resolve(_ host: String, port: Int) async throws -> [SocketAddress] {
        if let addresses = table.addresses(of: host, port: port) { return addresses }
        guard let fallback else { throw ResolveError.notFound }
        return try await fallback.resolve(host, port: port)
    }
}
