#if Observability || Service
import CoreMetrics
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import Synchronization

/// Records how long each connection of a pool was open, when the connection closes.
///
/// Covers a connection only if the pool had an object of this type when the connection was opened, and if this object
/// exists when the connection closes. Beyond 1,000 origins, all further origins share a timer with the dimension
/// `otel.metric.overflow`.
final class ConnectionDurations: Sendable {
    private let observation: ConnectionLifetimes.Observation

    init(of pool: ConnectionPool, to factory: (any MetricsFactory)?) {
        let timers = Mutex(Bounded<HTTPURL.Origin, any TimerHandler>(1000))
        observation = pool.lifetimes.observe { origin, duration in
            let timer = timers.withLock { timers in
                timers.value(for: origin) { origin in
                    SeriesTable.timer(
                        "http.client.connection.duration", origin.map(SeriesTable.dimensions) ?? SeriesTable.overflow,
                        factory ?? MetricsSystem.factory)
                }
            }
            timer.recordNanoseconds(duration.clampedNanoseconds)
        }
    }
}
#endif
