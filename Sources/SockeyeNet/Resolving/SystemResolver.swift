import SockeyeCore
import SockeyePlatform

/// The system's resolver (`/etc/hosts`, DNS, whatever nsswitch says) on a thread pool of its own.
///
/// `getaddrinfo` blocks for as long as the name servers take and cannot be stopped, so cancelling returns at once and
/// lets the call end in the background, on at most four threads.
package final class SystemResolver: NameResolver {
    /// A blocking look-up that gives addresses of any port.
    package typealias LookUp = @Sendable (String) -> Result<[EndpointAddress], ResolveError>

    /// The one that clients share, so that the threads are bounded for the whole process.
    package static let shared = SystemResolver()

    private let workers: ThreadPool
    private let lookUp: LookUp

    /// - Parameter lookUp: For tests; the default is `getaddrinfo`.
    package init(
        threads: Int = 4, queueLimit: Int = 1_000, idleTime: Duration = .seconds(10), lookUp: LookUp? = nil
    ) {
        workers = ThreadPool(
            name: "sockeye-resolve", threads: threads, queueLimit: queueLimit, idleTime: idleTime)
        self.lookUp =
            lookUp ?? { HostLookup.addresses(of: $0).map { $0.map(EndpointAddress.init) }.mapError(ResolveError.init) }
    }

    package func resolve(_ host: String, port: Int) async throws(ResolveError) -> [EndpointAddress] {
        if let addresses = try LiteralHost.addresses(of: host, port: port) { return addresses }
        let lookUp = lookUp
        let result: Result<[EndpointAddress], ResolveError>
        do throws(ThreadPoolRejection) {
            result = try await workers.run { lookUp(host) }
        } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .overloaded(let limit): throw .overloaded(limit: limit)
            case .noThread(let code): throw .outOfResources(code)
            }
        }
        return try result.get().map { $0.with(port: port) }
    }

    package var threadCount: Int { workers.threadCount }
    package var queueLength: Int { workers.queueLength }
}

extension ResolveError {
    fileprivate init(_ failure: HostLookup.Failure) {
        switch failure {
        case .notFound: self = .notFound
        case .temporary: self = .temporary
        case .outOfResources(let error): self = .outOfResources(error.code)
        case .other(let code, let text): self = .failed(code: code, text: text)
        }
    }
}
