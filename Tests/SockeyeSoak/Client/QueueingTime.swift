import SockeyeTestSupport
import Synchronization

/// The time for which threads of this process were ready to run while other processes used the processors. An exchange
/// may be late by this time.
final class QueueingTime: Sendable {
    static let shared = QueueingTime()

    /// The system has a file for each thread, so it is not read for each exchange.
    private static let interval = Duration.milliseconds(50)

    private let last = Mutex<(instant: ContinuousClock.Instant, total: Duration)>((.now - interval, .zero))

    /// The total of all threads, as it was at most 50 ms ago.
    var recent: Duration {
        last.withLock { last in
            let now = ContinuousClock.now
            if now - last.instant >= Self.interval { last = (now, ProcessMeter.queueingTime) }
            return last.total
        }
    }

    /// Returns the time that has been added to a former total. Threads that have ended since then do not count.
    func added(to former: Duration) -> Duration { max(.zero, ProcessMeter.queueingTime - former) }
}
