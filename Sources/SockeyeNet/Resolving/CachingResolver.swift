package import SockeyeCore
import Synchronization

/// A look-up in flight.
typealias LookUp = InFlightOperation<[EndpointAddress], ResolveError>

/// A cache over a resolver. The TTL of an answer (RFC 1035 3.2.1) can shorten the configured lifetime of entries.
/// Answers of `getaddrinfo` have no TTL, so they get the configured lifetime.
///
/// Simultaneous look-ups of the same name are merged (single flight). A look-up that is still queued is withdrawn when
/// its last caller stops waiting. A look-up that has begun continues without callers and serves the next caller, unless
/// the cache is cleared or released meanwhile. If a look-up takes more than 30 s, the next caller replaces it.
///
/// A known name stays usable while its refresh is pending or fails (``ResolverCache``, RFC 8767).
package final class CachingResolver: DeadlineResolver {
    /// The lifetimes and the size of the cache.
    package struct Configuration: Sendable, Hashable {
        /// The longest time that addresses are cached. Default 30 s. Zero caches no addresses, but simultaneous
        /// look-ups are still merged.
        package var timeToLive: Duration
        /// The time for which the cache remembers that a name does not exist or has no address. Default 1 s.
        ///
        /// One second limits the look-ups of many retrying requests, but does not hide a new service for long. Other
        /// errors are not cached.
        package var negativeTimeToLive: Duration
        /// The maximum number of names, each with its port. Default 1,000. At the limit, a new name evicts the expired
        /// entries. If no entry has expired, it evicts one eighth of the entries, those that expire first. Look-ups in
        /// flight are not evicted.
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
    // A mutex and not an actor: a cached name then costs no suspension.
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
        while true {
            do throws(ResolveError) {
                return try await addresses(of: key, poller: poller, until: deadline)
            } catch {
                // The shared look-up was given up, but this caller still waits, so it looks the name up again.
                guard error == .abandoned else { throw error }
                guard !Task.isCancelled else { throw .cancelled }
            }
        }
    }

    /// Returns cached addresses, or those of a shared look-up.
    private func addresses(
        of key: ResolverCache.Key, poller: any Poller, until deadline: MonotonicTime
    ) async throws(ResolveError) -> [EndpointAddress] {
        switch cache.withLock({ $0.lookUp(key, at: time.now) }) {
        case .addresses(let addresses):
            return addresses
        case .absent(let error):
            throw error
        case .join(let wait):
            return try await addresses(of: wait, for: key, until: deadline, poller: poller)
        case .start(let wait, let start, let hung):
            hung?.abandon(with: .failure(.abandoned))
            for hung in cache.withLock({ $0.takeHungLookUps(at: time.now) }) { hung.abandon() }
            begin(wait.lookUp, start, for: key, poller)
            return try await addresses(of: wait, for: key, until: deadline, poller: poller)
        }
    }

    /// Waits for a look-up on behalf of one caller; returns stale addresses if the look-up takes too long.
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

    private func ordered(_ addresses: [EndpointAddress], for key: ResolverCache.Key) -> [EndpointAddress] {
        cache.withLock { $0.ordered(addresses, for: key) }
    }

    /// The outcome of a look-up; nil if the look-up is still in flight at `limit`.
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

    /// Removes a name with unusable addresses, so that the next connection looks the name up again.
    package func forget(_ host: String, port: Int) {
        cache.withLock { $0.forget(ResolverCache.Key(host: host.lowercased(), port: port)) }
    }

    /// Removes all names. Look-ups in flight serve only their current callers, and are cancelled when no caller is
    /// left.
    package func forgetAll() {
        for lookUp in cache.withLock({ $0.forgetAll() }) { lookUp.abandon() }
    }

    /// The number of cached names and look-ups in flight.
    package var count: Int { cache.withLock { $0.count } }
    /// The number of callers that wait for the look-up of a name. For tests.
    package func callers(of host: String, port: Int = 80) -> Int {
        cache.withLock { $0.callers(of: ResolverCache.Key(host: host, port: port)) }
    }

    /// Cancels all look-ups in flight. Their callers fail with ``ResolveError/shutDown``.
    package func abandonAll() {
        for lookUp in cache.withLock({ $0.takeLookUps() }) { lookUp.abandon(with: .failure(.shutDown)) }
    }

    /// Starts the look-up in an unstructured task, because the look-up serves all its callers and may outlive each of
    /// them. The task is cancelled when the cache is released.
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

    /// The underlying resolver.
    private struct Base: Sendable {
        let resolver: any NameResolver
        /// The same resolver if it queues look-ups; otherwise nil.
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
