import SockeyeCore
import SockeyeNet

extension ConnectionPool {
    /// The state of the pool as it changes, as an asynchronous sequence.
    ///
    /// ```swift
    /// for await statistics in pool.statisticsUpdates() {
    ///     print(statistics.leased, statistics.waiting)
    /// }
    /// ```
    ///
    /// The first value comes at once. After that, the iterating task reads the pool's state once per interval, and the
    /// next value comes when the state differs from the previous value. Values are not queued, so a slow task misses
    /// states. The pool does no work for the sequence, so requests do not become slower.
    ///
    /// The sequence ends when the iterating task is cancelled or the pool is released. The sequence holds no strong
    /// reference to the pool.
    ///
    /// - Parameter interval: The interval between checks, at least 1 ms. Default 1 s.
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

        /// Starts with the current state.
        public func makeAsyncIterator() -> Iterator { Iterator(of: pool, pollers, every: interval) }
    }
}

extension PoolStatistics.Updates {
    /// The iterator over the states.
    public struct Iterator: AsyncIteratorProtocol {
        private let pool: WeakPool
        private let pollers: PollerSet
        private let interval: Duration
        /// The state that was returned last, and the time at which it was read; nil before the first state.
        private var last: (statistics: PoolStatistics, time: MonotonicTime)?

        fileprivate init(of pool: WeakPool, _ pollers: PollerSet, every interval: Duration) {
            (self.pool, self.pollers, self.interval) = (pool, pollers, interval)
        }

        /// Returns the next state that differs from the previous one; nil once the task is cancelled or the pool is
        /// released.
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

        /// Returns the next state that differs from the previous one; nil once the task is cancelled or the pool is
        /// released.
        public mutating func next() async -> PoolStatistics? {
            await next(isolation: #isolation)
        }

        private func sleep(until time: MonotonicTime) async {
            do throws(TransportError) {
                try await pollers.first().sleep(until: time)
            } catch {
                // Either the task was cancelled, or no poller could be created, for example for lack of descriptors.
                // `Task.sleep` needs no poller.
                if !Task.isCancelled { try? await Task.sleep(for: interval) }
            }
        }
    }
}

/// A weak reference to a pool.
private final class WeakPool: Sendable {
    weak let value: ConnectionPool?

    init(_ value: ConnectionPool) {
        self.value = value
    }
}
