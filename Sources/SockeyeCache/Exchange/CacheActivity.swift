import Synchronization

/// The work in progress of a ``CachePolicy``: exchanges in flight that several calls share (``SharedExchange``),
/// revalidations in the background, and recent invalidations.
final class CacheActivity: Sendable {
    private struct State {
        /// The ids of the responses that are being revalidated in the background.
        var revalidations: Set<String> = []
        /// The number of invalidations so far.
        var generation = 0
        /// The latest invalidations, at most ``maximumInvalidations``.
        var invalidated: [(key: String, generation: Int)] = []
        var exchanges: [SharedExchange.Key: SharedExchange] = [:]
    }

    /// The maximum number of invalidations that are remembered.
    private static let maximumInvalidations = 64

    private let state = Mutex(State())

    /// Registers a revalidation. Returns false if the response is being revalidated already.
    func beginsRevalidation(of id: String) -> Bool {
        state.withLock { $0.revalidations.insert(id).inserted }
    }

    func endRevalidation(of id: String) {
        state.withLock { _ = $0.revalidations.remove(id) }
    }

    var isRevalidating: Bool { state.withLock { !$0.revalidations.isEmpty } }

    /// Notes that responses to requests for a URL (the cache key) may be outdated now, whether they are stored or still
    /// in flight.
    func invalidate(_ key: String) {
        state.withLock { state in
            state.generation += 1
            state.invalidated.append((key, state.generation))
            if state.invalidated.count > Self.maximumInvalidations { state.invalidated.removeFirst() }
            // The exchanges of this key may bring responses from before the invalidation, so no further caller joins
            // them.
            if !state.exchanges.isEmpty { state.exchanges = state.exchanges.filter { $0.key.url != key } }
        }
    }

    var generation: Int { state.withLock(\.generation) }

    /// Returns true if the response to a request may be stored: the key was not invalidated since the request was sent.
    /// Returns false also if more invalidations followed than are remembered.
    ///
    /// - Parameter generation: The ``generation`` when the request was sent.
    func mayStore(_ key: String, since generation: Int) -> Bool {
        state.withLock { state in
            guard state.generation > generation else { return true }
            guard state.generation - generation <= Self.maximumInvalidations else { return false }
            return !state.invalidated.contains { $0.generation > generation && $0.key == key }
        }
    }

    // MARK: Exchanges for several callers

    var callersInFlight: Int { state.withLock { $0.exchanges.values.reduce(0) { $0 + $1.callerCount } } }

    /// Joins the exchange in flight for a request, or starts a new one.
    func enter(_ key: SharedExchange.Key) -> (exchange: SharedExchange, isNew: Bool) {
        state.withLock { state in
            let known = state.exchanges[key]
            let exchange = known ?? SharedExchange()
            exchange.enter()
            state.exchanges[key] = exchange
            return (exchange, known == nil)
        }
    }

    /// Prevents further callers from joining an exchange.
    func close(_ exchange: SharedExchange, _ key: SharedExchange.Key) {
        state.withLock { state in
            if state.exchanges[key] === exchange { state.exchanges[key] = nil }
        }
    }

    /// Removes a caller from an exchange. The last caller that leaves ends the exchange.
    ///
    /// - Parameter withShare: True if the caller received its result (``SharedExchange/Share``); false if it gave up.
    func leave(_ exchange: SharedExchange, _ key: SharedExchange.Key, withShare: Bool) {
        let (isLast, reserved) = state.withLock { state in
            let left = exchange.leave(withShare: withShare)
            if left.isLast, state.exchanges[key] === exchange { state.exchanges[key] = nil }
            return left
        }
        reserved?.release()
        if isLast { exchange.abandon() }
    }
}
