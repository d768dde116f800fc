package import SockeyeCore
import Synchronization

/// A look-up that is under way.
typealias LookUp = InFlightOperation<[EndpointAddress], ResolveError>

/// A cache over a resolver, with a time to live of its own, which that of an answer shortens (RFC 1035 3.2.1).
///
/// `getaddrinfo` does not tell how long an answer may be kept. Look-ups of the same name at the same time are one (single
/// flight). When its last caller leaves, a look-up that still waits for its turn is withdrawn; one that has begun continues
/// and serves the next request, as long as the cache exists.
///
/// A name that was known stays usable while its refresh waits or fails (``ResolverCache``, RFC 8767).
package final class CachingResolver: DeadlineResolver {
    /// The lifetimes and the size of the cache.
    package struct Configuration: Sendable, Hashable {
        /// How long addresses are kept at most; 30 s. Zero keeps nothing and still shares look-ups under way.
        package var timeToLive: Duration
        /// How long it is remembered that a name does not exist or has no address; 1 s, enough to spare the name servers a retry storm
        /// and short enough for a service that is just being set up. Other errors are not kept.
        package var negativeTimeToLive: Duration
        /// The most names (each with its port); 1,000. Then the oldest goes.
        package var maximumEntries: Int
        package var order: EndpointAddress.Order

        package init(
            timeToLive: Duration = .seconds(30), negativeTimeToLive: Duration = .seconds(1),
            maximumEntries: Int = 1_000, order: EndpointAddress.Order = .asResolved
        ) {
            self.timeToLive = timeToLive
            self.negativeTimeToLive = negativeTimeToLive
            self.maximumEntries = maximumEntries
            self.order = order
        }
    }

    private let base: Base
    private let time: TimeSource
    // A mutex and not an actor: a known name then costs no hop.
    private let cache: Mutex<ResolverCache>

    package init(
        _ base: any NameResolver, configuration: Configuration = Configuration(), time: TimeSource = .system
    ) {
        self.base = Base(base)
        self.time = time
        cache = Mutex(ResolverCache(configuration))
    }

    deinit {
        abandonAll()
    }

    package func resolve(
        _ host: String, port: Int, poller: any Poller, until deadline: MonotonicTime
    ) async throws(ResolveError) -> [EndpointAddress] {
        let key = ResolverCache.Key(host: host.lowercased(), port: port)
        switch cache.withLock({ $0.lookUp(key, at: time.now) }) {
        case .addresses(let addresses):
            return addresses
        case .absent(let error):
            throw error
        case .join(let wait):
            return try await addresses(of: wait, for: key, until: deadline, poller: poller)
        case .start(let wait, let start, let hung):
            hung?.abandon()
            for hung in cache.withLock({ $0.takeHung(at: time.now) }) { hung.abandon() }
            begin(wait.lookUp, start, for: key, poller)
            return try await addresses(of: wait, for: key, until: deadline, poller: poller)
        }
    }

    /// The answer of a look-up for one of its callers; stale addresses if it takes too long.
    private func addresses(
        of wait: ResolverCache.Wait, for key: ResolverCache.Key, until deadline: MonotonicTime, poller: any Poller
    ) async throws(ResolveError) -> [EndpointAddress] {
        defer { cache.withLock { $0.leave(key, wait.lookUp, at: time.now) }?.abandon() }
        if let staleTime = wait.staleTime {
            let limit = MonotonicTime.earlier(deadline, staleTime)
            if let outcome = try await Self.outcome(of: wait.lookUp, until: limit, poller: poller) {
                return ordered(try outcome.get(), for: key)
            }
            let now = time.now
            if let stale = cache.withLock({ $0.stale(for: key, at: now) }) { return stale }
        }
        guard let outcome = try await Self.outcome(of: wait.lookUp, until: deadline, poller: poller) else {
            throw .timedOut
        }
        return ordered(try outcome.get(), for: key)
    }

    /// The answer of a look-up in the order for one of its callers.
    private func ordered(_ addresses: [EndpointAddress], for key: ResolverCache.Key) -> [EndpointAddress] {
        cache.withLock { $0.ordered(addresses, for: key) }
    }

    /// The outcome of a look-up; nil if it takes too long.
    private static func outcome(
        of lookUp: LookUp, until limit: MonotonicTime, poller: any Poller
    ) async throws(ResolveError) -> LookUp.Outcome? {
        do throws(TransportError) {
            return try await lookUp.outcome(until: limit, poller: poller)
        } catch {
            switch error {
            case .cancelled: throw .cancelled
            case .timedOut: return nil
            default: throw .custom(error)
            }
        }
    }

    /// Forgets a name whose addresses turned out to be of no use, so that the next connection asks anew.
    package func forget(_ host: String, port: Int) {
        cache.withLock { $0.forget(ResolverCache.Key(host: host.lowercased(), port: port)) }
    }

    /// Forgets all names, those included that are being looked up.
    package func forgetAll() {
        cache.withLock { $0.forgetAll() }
    }

    /// How many names are known or being looked up.
    package var count: Int { cache.withLock { $0.count } }
    /// How many callers wait for the look-up of a name. For tests.
    package func callers(of host: String, port: Int = 80) -> Int {
        cache.withLock { $0.callers(of: ResolverCache.Key(host: host, port: port)) }
    }

    /// Gives up all look-ups under way. Their callers fail.
    package func abandonAll() {
        for lookUp in cache.withLock({ $0.takeLookUps() }) { lookUp.abandon() }
    }

    /// Unstructured, since the look-up belongs to all callers that ask for the name and outlives each of them; but not the cache.
    private func begin(_ lookUp: LookUp, _ start: LookUpStart, for key: ResolverCache.Key, _ poller: any Poller) {
        let task = Task { [base, weak self] in
            let (outcome, timeToLive) = await base.ask(key, start, poller)
            lookUp.finish(self?.finish(key, lookUp, outcome, timeToLive) ?? outcome)
        }
        lookUp.carriedOut(by: task)
    }

    private func finish(
        _ key: ResolverCache.Key, _ lookUp: LookUp, _ outcome: LookUp.Outcome, _ timeToLive: Duration?
    ) -> LookUp.Outcome {
        cache.withLock { $0.finish(key, lookUp, outcome, timeToLive: timeToLive, at: time.now) }
    }

    /// The resolver below.
    private struct Base: Sendable {
        let resolver: any NameResolver
        /// The same, if it queues look-ups.
        let queued: (any QueuedResolver)?

        init(_ resolver: any NameResolver) {
            self.resolver = resolver
            queued = resolver as? any QueuedResolver
        }

        func ask(
            _ key: ResolverCache.Key, _ start: LookUpStart, _ poller: any Poller
        ) async -> (LookUp.Outcome, timeToLive: Duration?) {
            do {
                let (addresses, timeToLive): ([EndpointAddress], Duration?)
                if let queued {
                    (addresses, timeToLive) = try await queued.answer(
                        for: key.host, port: key.port, on: poller, start: start)
                } else {
                    guard start.begin() else { return (.failure(.cancelled), nil) }
                    (addresses, timeToLive) = try await resolver.answer(for: key.host, port: key.port)
                }
                return (addresses.isEmpty ? .failure(.notFound) : .success(addresses), timeToLive)
            } catch let error as ResolveError {
                return (.failure(error), nil)
            } catch {
                return (.failure(.custom(error)), nil)
            }
        }
    }
}
