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
    private let dial = Mutex<DialProgress?>(nil)

    init(poller: any Poller) throws(TransportError) {
        sleeper = try Sleeper(poller: poller)
    }

    /// How far the dial has come that was started for this waiter; nil when it waits for others.
    var progress: DialProgress? { dial.withLock { $0 } }

    /// Tells which dial was started for it.
    func follow(_ progress: DialProgress) {
        dial.withLock { $0 = progress }
    }

    /// Forgets what it waited for, to wait for something else. A wake-up for the old wait may still come: who is woken
    /// without an outcome waits on.
    func reset() {
        dial.withLock { $0 = nil }
        outcome.withLock { $0 = nil }
    }

    /// Notes the outcome; ``wake()`` follows.
    func settle(_ result: Outcome) {
        outcome.withLock { $0 = result }
    }

    func wake() {
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
