package import SockeyeCore

public protocol Resolver: Sendable { func resolve(_ host: String, port: Int) async throws -> [SocketAddress] }
package enum ResolveError: Error { case notFound }
package struct ConnectError: Error { package let error: TransportError }
package protocol DeadlineResolver: Sendable {
    func resolve(_ host: String, port: Int, poller: any Poller, until deadline: MonotonicTime) async throws(ResolveError) -> [SocketAddress]
}
package struct ResolverStack: DeadlineResolver {
    package init(base: (any Resolver)?, overrides: [String: [SocketAddress]], cacheLifetime: Duration?, time: TimeSource) {}
    package func resolve(_ host: String, port: Int, poller: any Poller, until deadline: MonotonicTime) async throws(ResolveError) -> [SocketAddress] {
        guard let a = SocketAddress(literal: host == "localhost" ? "127.0.0.1" : host, port: port) else { throw .notFound }
        return [a]
    }
}
package enum Connector {
    package static func connect(to addresses: [SocketAddress], options: SocketOptions, poller: any Poller, until deadline: MonotonicTime) async throws(ConnectError) -> SocketStream {
        do throws(TransportError) { return try await SocketStream.connect(to: addresses[0], options: options, poller: poller, until: deadline) } catch { throw ConnectError(error: error) }
    }
}
