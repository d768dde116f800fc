import Synchronization

/// What a policy is doing: which exchanges are in flight, which stored responses are being
/// revalidated in the background, and what was invalidated lately.
final class CacheActivity: Sendable {
    private struct State {
        var revalidations: Set<String> = []
        /// Counts invalidations.
        var generation = 0
        /// The latest of them.
        var invalidated: [(key: String, generation: Int)] = []
        var exchanges: [SharedExchange.Key: SharedExchange] = [:]
    }

    /// So many invalidations are remembered.
    private static let memory = 64

    private let state = Mutex(State())

    /// Notes that a response is being revalidated. Returns false if it was before.
    func beginsRevalidation(of id: String) -> Bool {
        state.withLock { $0.revalidations.insert(id).inserted }
    }

    func endRevalidation(of id: String) {
        state.withLock { _ = $0.revalidations.remove(id) }
    }

    var isRevalidating: Bool { state.withLock { !$0.revalidations.isEmpty } }

    /// Notes that what is asked for from now on may be different.
    func invalidate(_ key: String) {
        state.withLock { state in
            state.generation += 1
            state.invalidated.append((key, state.generation))
            if state.invalidated.count > Self.memory { state.invalidated.removeFirst() }
            // What is on its way may be older than the change.
            if !state.exchanges.isEmpty { state.exchanges = state.exchanges.filter { $0.key.url != key } }
        }
    }

    var generation: Int { state.withLock(\.generation) }

    /// Whether the answer to a request that was sent at a time may be stored: its key was not invalidated in between.
    func mayStore(_ key: String, since generation: Int) -> Bool {
        state.withLock { state in
            guard state.generation > generation else { return true }
            guard state.generation - generation <= Self.memory else { return false }
            return !state.invalidated.contains { $0.generation > generation && $0.key == key }
        }
    }

    // MARK: Exchanges for several callers

    var callersInFlight: Int { state.withLock { $0.exchanges.values.reduce(0) { $0 + $1.callerCount } } }

    /// The exchange that is in flight for such a request, or a new one.
    func enter(_ key: SharedExchange.Key) -> (exchange: SharedExchange, isNew: Bool) {
        state.withLock { state in
            let known = state.exchanges[key]
            let exchange = known ?? SharedExchange()
            exchange.enter()
            state.exchanges[key] = exchange
            return (exchange, known == nil)
        }
    }

    /// Has nobody join it any more.
    func close(_ exchange: SharedExchange, _ key: SharedExchange.Key) {
        state.withLock { state in
            if state.exchanges[key] === exchange { state.exchanges[key] = nil }
        }
    }

    /// Goes without a share, or with one; the last one ends the exchange.
    func leave(_ exchange: SharedExchange, _ key: SharedExchange.Key, withShare: Bool) {
        let isLast = state.withLock { state in
            let isLast = exchange.leave(withShare: withShare)
            if isLast, state.exchanges[key] === exchange { state.exchanges[key] = nil }
            return isLast
        }
        if isLast { exchange.abandon() }
    }
}
