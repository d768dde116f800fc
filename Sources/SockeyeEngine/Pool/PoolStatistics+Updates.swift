import SockeyeCore
import SockeyeNet

extension ConnectionPool {
    /// The state of the pool as it changes: the latest value each time one is asked for.
    ///
    /// ```swift
    /// for await statistics in pool.statisticsUpdates() {
    ///     print(statistics.leased, statistics.waiting)
    /// }
    /// ```
    ///
    /// The first value comes at once. Then the iterating task looks at the pool at each interval, and gets the state if it
    /// has changed. A slow task misses the values in between, and nothing is queued. The pool does nothing for its readers,
    /// so requests cost the same with and without them. The iteration ends with its task, or when the pool is gone: it does
    /// not keep the pool.
    ///
    /// - Parameter interval: How often the pool is looked at, at least 1 ms. Default 1 s.
    public nonisolated func statisticsUpdates(every interval: Duration = .seconds(1)) -> PoolStatistics.Updates {
        PoolStatistics.Updates(of: self, every: max(interval, .milliseconds(1)))
    }
}

extension PoolStatistics {
    /// The state of a pool as it changes; see ``ConnectionPool/statisticsUpdates(every:)``.
    public struct Updates: AsyncSequence, Sendable {
        /// The state of the pool.
        public typealias Element = PoolStatistics
        /// Iterating never throws.
        public typealias Failure = Never

        private let pool: WeakPool
        private let pollers: PollerSet
        private let interval: Duration

        fileprivate init(of pool: ConnectionPool, every interval: Duration) {
            self.pool = WeakPool(pool)
            pollers = pool.pollers
            self.interval = interval
        }

        /// Starts with the present state.
        public func makeAsyncIterator() -> Iterator { Iterator(of: pool, pollers, every: interval) }
    }
}

extension PoolStatistics.Updates {
    /// Reads the states, one after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private let pool: WeakPool
        private let pollers: PollerSet
        private let interval: Duration
        private var last: (statistics: PoolStatistics, time: MonotonicTime)?

        fileprivate init(of pool: WeakPool, _ pollers: PollerSet, every interval: Duration) {
            (self.pool, self.pollers, self.interval) = (pool, pollers, interval)
        }

        /// The next state that differs from the one before; nil once the task is cancelled or the pool is gone.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async -> PoolStatistics? {
            var earliest = last.map { $0.time.advanced(by: interval) }
            while true {
                if let earliest { await sleep(until: earliest) }
                guard !Task.isCancelled, let statistics = pool.value?.statistics else { return nil }
                let now = pollers.time.now
                if statistics != last?.statistics {
                    last = (statistics, now)
                    return statistics
                }
                earliest = now.advanced(by: interval)
            }
        }

        /// The next state that differs from the one before; nil once the task is cancelled or the pool is gone.
        public mutating func next() async -> PoolStatistics? {
            await next(isolation: #isolation)
        }

        private func sleep(until time: MonotonicTime) async {
            do throws(TransportError) {
                try await pollers.first().sleep(until: time)
            } catch {
                // The system has no descriptors left for the poller.
                if !Task.isCancelled { try? await Task.sleep(for: interval) }
            }
        }
    }
}

/// A reference that does not keep the pool.
private final class WeakPool: Sendable {
    weak let value: ConnectionPool?

    init(_ value: ConnectionPool) {
        self.value = value
    }
}
