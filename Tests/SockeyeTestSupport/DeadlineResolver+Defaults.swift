package import SockeyeCore
package import SockeyeNet

extension DeadlineResolver {
    /// Resolves with port 80 and without a deadline, as most tests need it.
    package func resolve(
        _ host: String, port: Int = 80, on poller: any Poller, until deadline: MonotonicTime = .distantFuture
    ) async throws(ResolveError) -> [EndpointAddress] {
        try await resolve(host, port: port, poller: poller, until: deadline)
    }
}
