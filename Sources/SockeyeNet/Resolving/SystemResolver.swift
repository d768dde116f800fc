import SockeyeCore
import SockeyePlatform

/// The system's resolver (`getaddrinfo`, as configured in nsswitch.conf) on its own thread pool.
///
/// `getaddrinfo` blocks and cannot be stopped. A cancelled look-up ends at once, and its call of `getaddrinfo` ends
/// later in the background. A name with unresponsive servers occupies a thread for half a minute or more
/// (resolv.conf(5): timeout × attempts × servers × search domains). With 64 threads, dozens of such names do not delay
/// others. A thread ends after ten seconds without work.
package final class SystemResolver: NameResolver {
    /// A blocking look-up; the port of the addresses is ignored.
    package typealias LookUp = @Sendable (String) -> Result<[EndpointAddress], ResolveError>

    /// The resolver that clients share, so that the threads are limited for the whole process.
    package static let shared = SystemResolver()

    private let workers: ThreadPool
    private let lookUp: LookUp

    /// - Parameter lookUp: For tests; the default is `getaddrinfo`.
    package init(
        threads: Int = 64, queueLimit: Int = 1_000, idleTime: Duration = .seconds(10), lookUp: LookUp? = nil
    ) {
        workers = ThreadPool(
            name: "sockeye-resolve", threads: threads, queueLimit: queueLimit, idleTime: idleTime)
        self.lookUp =
            lookUp ?? { HostLookup.addresses(of: $0).map { $0.map(EndpointAddress.init) }.mapError(ResolveError.init) }
    }

    package func resolve(_ host: String, port: Int) async throws(ResolveError) -> [EndpointAddress] {
        try await resolve(host, port: port, LookUpStart())
    }

    private func resolve(
        _ host: String, port: Int, _ start: LookUpStart
    ) async throws(ResolveError) -> [EndpointAddress] {
        if let addresses = try LiteralHost.addresses(of: host, port: port) { return addresses }
        let lookUp = lookUp
        let result: Result<[EndpointAddress], ResolveError>
        do throws(ThreadPoolRejection) {
            result = try await workers.run { start.begin() ? lookUp(host) : .failure(.cancelled) }
        } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .overloaded(let limit): throw .overloaded(limit: limit)
            case .noThread(let error): throw .outOfResources(error)
            }
        }
        return try result.get().compactMap { $0.with(port: port) }
    }

    package var threadCount: Int { workers.threadCount }
    package var queueLength: Int { workers.queueLength }
}

extension SystemResolver: QueuedResolver {
    package func answer(
        for host: String, port: Int, on _: any Poller, start: LookUpStart
    ) async throws -> (addresses: [EndpointAddress], timeToLive: Duration?) {
        (try await resolve(host, port: port, start), nil)
    }
}

extension ResolveError {
    fileprivate init(_ failure: HostLookup.Failure) {
        switch failure {
        case .notFound: self = .notFound
        case .temporary: self = .temporary
        case .outOfResources(let error): self = .outOfResources(error)
        case .other(let code, let text): self = .failed(code: code, text: text)
        }
    }
}
