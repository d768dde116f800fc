import SockeyeTestSupport
import Synchronization

/// The time for which other processes have used each processor. An exchange may be late by as much.
final class TimeOfOthers: Sendable {
    static let shared = TimeOfOthers()

    /// The system counts in hundredths of a second, so it is not asked for each exchange.
    private static let interval = Duration.milliseconds(50)

    private let last = Mutex<(instant: ContinuousClock.Instant, total: Duration)>((.now - interval, .zero))

    /// The total, as it was at most 50 ms ago.
    var recent: Duration {
        last.withLock { last in
            let now = ContinuousClock.now
            if now - last.instant >= Self.interval { last = (now, ProcessMeter.timeOfOthers) }
            return last.total
        }
    }
}
