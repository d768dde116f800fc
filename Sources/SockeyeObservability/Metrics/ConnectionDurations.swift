#if Observability || Service
import CoreMetrics
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import Synchronization

/// Records how long each connection of a pool was open, when the connection closes.
///
/// Covers the connections that close while this object exists. A connection that was opened earlier is covered only if
/// another such object observed the pool when the connection was opened. Beyond 1,000 origins, all further origins
/// share a timer with the dimension `otel.metric.overflow`.
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
