package import SockeyeCore
package import SockeyeNet
import Synchronization

/// The pollers (event loops) of a connection pool. A pool either has pollers of its own, each with its own thread, or
/// uses only the shared poller. The one thread of the shared poller serves all pools that have no pollers of their own.
///
/// The pollers are created when one is first requested. If that fails, for example for lack of descriptors, the call
/// throws, and the next call tries again.
package final class PollerSet: Sendable {
    /// The clock of the pollers.
    package let time: TimeSource
    private let threads: Int
    private let made = Mutex<[EventPoller]>([])
    /// The number of calls of ``next()`` so far.
    private let turn = Atomic<UInt>(0)

    /// The maximum number of threads. More threads would cost more in descriptors and stacks than they save in time.
    private static let mostThreads = 64

    /// - Parameter threads: The number of threads for this pool alone; 0 for the shared thread.
    package init(threads: Int = 0, time: TimeSource = .system) {
        // The shared poller follows the system's clock, so a manual clock needs a poller of its own.
        self.threads = min(max(threads, time.manual == nil ? 0 : 1), Self.mostThreads)
        self.time = time
    }

    /// The poller of the pool's timers and of requests that have no connection yet.
    package func first() throws(TransportError) -> EventPoller { try all()[0] }

    /// Returns the poller for a new connection, round-robin.
    package func next() throws(TransportError) -> EventPoller {
        let all = try all()
        return all[Int(turn.wrappingAdd(1, ordering: .relaxed).oldValue % UInt(all.count))]
    }

    private func all() throws(TransportError) -> [EventPoller] {
        try made.withLock { made throws(TransportError) in
            if !made.isEmpty { return made }
            var pollers: [EventPoller] = []
            for _ in 0..<threads { pollers.append(try EventPoller(time: time)) }
            if pollers.isEmpty { pollers = [try EventPoller.shared()] }
            made = pollers
            return pollers
        }
    }
}
