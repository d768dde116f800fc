package import SockeyeCore
package import SockeyeNet
import Synchronization

/// The pollers of a pool: threads of its own, or the thread that all such pools of the process share.
///
/// They are made when the first is needed. If the system has no descriptors left, the next caller tries again.
package final class PollerSet: Sendable {
    /// The clock of the pollers.
    package let time: TimeSource
    private let threads: Int
    private let made = Mutex<[EpollPoller]>([])
    private let turn = Atomic<UInt>(0)

    /// More threads than this have more descriptors and stacks than they save time.
    private static let mostThreads = 64

    /// - Parameter threads: How many of its own; 0 for the shared one.
    package init(threads: Int = 0, time: TimeSource = .system) {
        // A manual clock is not shared, and so needs a poller of its own.
        self.threads = min(max(threads, time.manual == nil ? 0 : 1), Self.mostThreads)
        self.time = time
    }

    /// The poller of the pool's timers and of requests that have no connection yet.
    package func first() throws(TransportError) -> EpollPoller { try all()[0] }

    /// A poller for another connection: each in turn.
    package func next() throws(TransportError) -> EpollPoller {
        let all = try all()
        return all[Int(turn.wrappingAdd(1, ordering: .relaxed).oldValue % UInt(all.count))]
    }

    private func all() throws(TransportError) -> [EpollPoller] {
        try made.withLock { made throws(TransportError) in
            if !made.isEmpty { return made }
            var pollers: [EpollPoller] = []
            for _ in 0..<threads { pollers.append(try EpollPoller(time: time)) }
            if pollers.isEmpty { pollers = [try EpollPoller.shared()] }
            made = pollers
            return pollers
        }
    }
}
