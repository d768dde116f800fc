package import SockeyeCore
import Synchronization

/// A look-up that is under way.
typealias LookUp = Flight<[SocketAddress], ResolveError>

/// A short memory over a resolver.
///
/// `getaddrinfo` does not tell how long an answer may be kept, so answers are kept for a fixed short time. Look-ups of
/// the same name at the same time are one. A look-up that nobody waits for any more goes on and serves the next request.
package final class CachingResolver: DeadlineResolver {
    /// How long and how much is remembered.
    package struct Configuration: Sendable, Hashable {
        /// How long addresses are kept; 30 s. Zero keeps nothing and still shares look-ups under way.
        package var timeToLive: Duration
        /// How long it is remembered that a name does not exist; 1 s, enough to spare the name servers a retry storm
        /// and short enough for a service that is just being set up. Other errors are not kept.
        package var negativeTimeToLive: Duration
        /// The most names (each with its port); 1,000. Then the oldest goes.
        package var maximumEntries: Int
        package var order: AddressOrder

        package init(
            timeToLive: Duration = .seconds(30), negativeTimeToLive: Duration = .seconds(1),
            maximumEntries: Int = 1_000, order: AddressOrder = .asResolved
        ) {
            self.timeToLive = timeToLive
            self.negativeTimeToLive = negativeTimeToLive
            self.maximumEntries = maximumEntries
            self.order = order
        }
    }

    private let base: any Resolver
    private let time: TimeSource
    // A mutex and not an actor: a known name then costs no hop.
    private let cache: Mutex<ResolverCache>

    package init(
        _ base: any Resolver, configuration: Configuration = Configuration(), time: TimeSource = .system
    ) {
        self.base = base
        self.time = time
        cache = Mutex(ResolverCache(configuration))
    }

    package func resolve(
        _ host: String, port: Int, poller: any Poller, until deadline: MonotonicTime
    ) async throws(ResolveError) -> [SocketAddress] {
        let key = ResolverCache.Key(host: host.lowercased(), port: port)
        switch cache.withLock({ $0.lookUp(key, at: time.now) }) {
        case .addresses(let addresses):
            return addresses
        case .notFound:
            throw .notFound
        case .join(let flight):
            return try await Self.outcome(of: flight, until: deadline, poller: poller)
        case .start(let flight, let hung):
            hung?.abandon()
            start(flight, for: key)
            return try await Self.outcome(of: flight, until: deadline, poller: poller)
        }
    }

    private static func outcome(
        of flight: LookUp, until deadline: MonotonicTime, poller: any Poller
    ) async throws(ResolveError) -> [SocketAddress] {
        let outcome: LookUp.Outcome
        do throws(TransportError) {
            outcome = try await flight.outcome(until: deadline, poller: poller)
        } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .timedOut: throw .timedOut
            default: throw .custom(error)
            }
        }
        return try outcome.get()
    }

    /// Forgets a name whose addresses turned out to be of no use, so that the next connection asks anew.
    package func forget(_ host: String, port: Int) {
        cache.withLock { $0.forget(ResolverCache.Key(host: host.lowercased(), port: port)) }
    }

    /// How many names are known or being looked up.
    package var count: Int { cache.withLock { $0.count } }

    /// Unstructured, since the look-up belongs to everybody who asks for the name and outlives each of them.
    private func start(_ flight: LookUp, for key: ResolverCache.Key) {
        let task = Task {
            let outcome = await ask(key)
            cache.withLock { $0.finish(key, flight, outcome, at: time.now) }
            flight.finish(outcome)
        }
        flight.carriedOut(by: task)
    }

    private func ask(_ key: ResolverCache.Key) async -> LookUp.Outcome {
        do {
            let addresses = try await base.resolve(key.host, port: key.port)
            return addresses.isEmpty ? .failure(.notFound) : .success(addresses)
        } catch let error as ResolveError {
            return .failure(error)
        } catch {
            return .failure(.custom(error))
        }
    }
}
