package import SockeyeCore
import Synchronization

/// A look-up that is under way.
typealias LookUp = InFlightOperation<[EndpointAddress], ResolveError>

/// A cache over a resolver, with a time to live of its own, which that of an answer shortens (RFC 1035 3.2.1).
///
/// `getaddrinfo` does not tell how long an answer may be kept. Look-ups of the same name at the same time are one (single
/// flight). One whose waiters are all gone goes on and serves the next request, until nobody has the cache any more.
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
        for operation in cache.withLock({ $0.takeLookUps() }) { operation.abandon() }
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
        case .join(let operation):
            return ordered(try await Self.outcome(of: operation, until: deadline, poller: poller), for: key)
        case .start(let operation, let hung):
            hung?.abandon()
            start(operation, for: key, poller)
            return ordered(try await Self.outcome(of: operation, until: deadline, poller: poller), for: key)
        }
    }

    /// The answer of a look-up in the order for one of those who waited for it.
    private func ordered(_ addresses: [EndpointAddress], for key: ResolverCache.Key) -> [EndpointAddress] {
        cache.withLock { $0.ordered(addresses, for: key) }
    }

    private static func outcome(
        of operation: LookUp, until deadline: MonotonicTime, poller: any Poller
    ) async throws(ResolveError) -> [EndpointAddress] {
        let outcome: LookUp.Outcome
        do throws(TransportError) {
            outcome = try await operation.outcome(until: deadline, poller: poller)
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

    /// Forgets all names, those included that are being looked up.
    package func forgetAll() {
        cache.withLock { $0.forgetAll() }
    }

    /// How many names are known or being looked up.
    package var count: Int { cache.withLock { $0.count } }

    /// Gives up all look-ups under way, and whoever waits for them hears so.
    package func abandonAll() {
        for operation in cache.withLock({ $0.takeLookUps() }) { operation.abandon() }
    }

    /// Unstructured, since the look-up belongs to everybody who asks for the name and outlives each of them; but not the cache.
    private func start(_ operation: LookUp, for key: ResolverCache.Key, _ poller: any Poller) {
        let task = Task { [base, weak self] in
            let (outcome, timeToLive) = await base.ask(key, poller)
            self?.finish(key, operation, outcome, timeToLive)
            operation.finish(outcome)
        }
        operation.carriedOut(by: task)
    }

    private func finish(
        _ key: ResolverCache.Key, _ operation: LookUp, _ outcome: LookUp.Outcome, _ timeToLive: Duration?
    ) {
        cache.withLock { $0.finish(key, operation, outcome, timeToLive: timeToLive, at: time.now) }
    }

    /// The resolver below.
    private struct Base: Sendable {
        let resolver: any NameResolver
        /// The same, where it waits at a poller.
        let polled: (any PolledResolver)?

        init(_ resolver: any NameResolver) {
            self.resolver = resolver
            polled = resolver as? any PolledResolver
        }

        func ask(_ key: ResolverCache.Key, _ poller: any Poller) async -> (LookUp.Outcome, timeToLive: Duration?) {
            do {
                let (addresses, timeToLive) =
                    if let polled {
                        try await polled.answer(for: key.host, port: key.port, on: poller)
                    } else {
                        try await resolver.answer(for: key.host, port: key.port)
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

/// The entries of a ``CachingResolver``. Pure bookkeeping: time is an argument.
///
/// States of a name: unknown → `lookUp` → inFlight → `finish` → known for a while (addresses, or that there are none) →
/// unknown. An error other than "no such name" and "no address" makes it unknown at once, and so does a time to live of zero.
struct ResolverCache {
    struct Key: Hashable {
        let host: String
        let port: Int
    }

    enum Answer {
        case addresses([EndpointAddress])
        /// There are none.
        case absent(ResolveError)
        /// Wait for a look-up that is under way.
        case join(LookUp)
        /// Begin a look-up, in place of one that has been under way for too long.
        case start(LookUp, insteadOf: LookUp?)
    }

    private enum Entry {
        case inFlight(LookUp, since: MonotonicTime)
        /// `turn` counts the look-ups that were answered.
        case known([EndpointAddress], until: MonotonicTime, turn: Int)
        case absent(ResolveError, until: MonotonicTime)

        /// Nil while inFlight.
        var expiry: MonotonicTime? {
            switch self {
            case .inFlight: nil
            case .known(_, let until, _), .absent(_, let until): until
            }
        }
    }

    /// A resolver that never answers must not take a name away for good.
    static let longestLookUp = Duration.seconds(30)

    private let configuration: CachingResolver.Configuration
    private var entries: [Key: Entry] = [:]

    init(_ configuration: CachingResolver.Configuration) {
        self.configuration = configuration
    }

    var count: Int { entries.count }

    mutating func lookUp(_ key: Key, at now: MonotonicTime) -> Answer {
        switch entries[key] {
        case .known(let addresses, let until, let turn) where now < until:
            if configuration.order == .asResolved { return .addresses(addresses) }
            entries[key] = .known(addresses, until: until, turn: turn &+ 1)
            return .addresses(configuration.order.apply(to: addresses, turn: turn))
        case .absent(let error, let until) where now < until:
            return .absent(error)
        case .inFlight(let operation, let since) where now < since.advanced(by: Self.longestLookUp):
            return .join(operation)
        case let old:
            let operation = LookUp()
            if old == nil { makeRoom(at: now) }
            entries[key] = .inFlight(operation, since: now)
            if case .inFlight(let hung, _) = old { return .start(operation, insteadOf: hung) }
            return .start(operation, insteadOf: nil)
        }
    }

    /// Addresses that have just been looked up, in the order for the next connection.
    mutating func ordered(_ addresses: [EndpointAddress], for key: Key) -> [EndpointAddress] {
        guard configuration.order != .asResolved else { return addresses }
        guard case .known(let known, let until, let turn) = entries[key], known == addresses else {
            return configuration.order.apply(to: addresses, turn: 0)
        }
        entries[key] = .known(known, until: until, turn: turn &+ 1)
        return configuration.order.apply(to: addresses, turn: turn)
    }

    /// Takes the outcome of a look-up, unless another one has taken its place.
    ///
    /// - Parameter timeToLive: How long the answer itself allows it to be kept; nil where it says nothing.
    mutating func finish(
        _ key: Key, _ operation: LookUp, _ outcome: LookUp.Outcome, timeToLive: Duration?, at now: MonotonicTime
    ) {
        guard case .inFlight(let current, _) = entries[key], current === operation else { return }
        switch outcome {
        case .success(let addresses):
            let lifetime = min(configuration.timeToLive, timeToLive ?? configuration.timeToLive)
            entries[key] = .known(addresses, until: now.advanced(by: lifetime), turn: 0)
        case .failure(let error) where error == .notFound || error == .noData:
            entries[key] = .absent(error, until: now.advanced(by: configuration.negativeTimeToLive))
        case .failure:
            entries[key] = nil
        }
        let isKept = entries[key]?.expiry.map { now < $0 } ?? false
        if !isKept || entries.count > configuration.maximumEntries { entries[key] = nil }
    }

    mutating func forget(_ key: Key) {
        if case .inFlight = entries[key] { return }
        entries[key] = nil
    }

    /// Forgets the look-ups under way, for the caller to give up.
    mutating func takeLookUps() -> [LookUp] {
        let underWay = entries.compactMap { key, entry in
            if case .inFlight(let operation, _) = entry { (key, operation) } else { nil }
        }
        for (key, _) in underWay { entries[key] = nil }
        return underWay.map(\.1)
    }

    /// Whoever waits for a look-up holds it himself; when it ends, it is not that of the name any more.
    mutating func forgetAll() {
        entries = [:]
    }

    /// Drops what has expired or, with nothing expired, what expires first. Look-ups under way stay.
    private mutating func makeRoom(at now: MonotonicTime) {
        guard entries.count >= configuration.maximumEntries else { return }
        entries = entries.filter { $0.value.expiry.map { now < $0 } ?? true }
        guard entries.count >= configuration.maximumEntries else { return }
        let oldest = entries.compactMap { key, entry in entry.expiry.map { (key, $0) } }.min { $0.1 < $1.1 }
        if let oldest { entries[oldest.0] = nil }
    }
}

/// In which order the addresses of one name are tried, by one connection after the other.
///
/// Addresses change places within their family only. Which family comes first, and where they alternate, stays as the resolver
/// has it, by RFC 6724 for the system's: that knows whether this machine has a way to it.
public enum AddressOrder: Sendable, Hashable {
    /// As the resolver gave them: all connections go to the first one that answers.
    case asResolved
    /// Each connection starts with the next address, so that they spread over all of them evenly. Counted anew when a name is
    /// looked up again.
    case rotated
    /// Anew at random for each connection: so that also many clients that make one connection each spread over all addresses.
    case shuffled

    /// The order for the connection number `turn`.
    func apply(to addresses: [EndpointAddress], turn: Int) -> [EndpointAddress] {
        guard self != .asResolved, addresses.count > 1 else { return addresses }
        var queues: [EndpointAddress.Family: ArraySlice<EndpointAddress>] = [:]
        for (family, members) in Dictionary(grouping: addresses, by: \.family) {
            let start = turn % members.count
            queues[family] = self == .shuffled ? members.shuffled()[...] : members[start...] + members[..<start]
        }
        return addresses.map { queues[$0.family]?.popFirst() ?? $0 }
    }
}
