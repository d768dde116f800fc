import SockeyeCore
import SockeyeTransport
import Synchronization

/// A request that waits for a connection: where it sleeps, and what it will find when it wakes.
final class PoolWaiter: Sendable {
    enum Outcome: Sendable {
        case lease(ConnectionPool.Lease)
        case failed(SockeyeError)
    }

    private let sleeper: Sleeper
    private let outcome = Mutex<Outcome?>(nil)
    /// How far the dial has come that was started for this waiter; nil when it waits for others.
    let progress: DialProgress?

    init(poller: any Poller, progress: DialProgress?) throws(TransportError) {
        sleeper = try Sleeper(poller: poller)
        self.progress = progress
    }

    func resolve(_ result: Outcome) {
        outcome.withLock { $0 = result }
        sleeper.signal()
    }

    /// Sleeps until there is an outcome, the deadline or cancellation.
    func wait(until deadline: MonotonicTime) async -> WaitPoint.Wake {
        await sleeper.sleep(until: deadline)
    }

    func takeOutcome() -> Outcome? {
        outcome.withLock { outcome in
            defer { outcome = nil }
            return outcome
        }
    }
}
