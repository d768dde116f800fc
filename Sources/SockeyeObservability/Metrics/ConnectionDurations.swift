#if Observability || Service
import CoreMetrics
import SockeyeCore
import SockeyeEngine
import SockeyeHTTP
import Synchronization

/// Records how long the connections of a pool were open, from its creation until it is released.
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
