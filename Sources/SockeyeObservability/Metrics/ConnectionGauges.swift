#if Observability || Service
public import CoreMetrics
public import Sockeye
import SockeyeEngine
import SockeyeHTTP
import Synchronization
#if Service
public import ServiceLifecycle
#endif

/// Gauges of a pool's connections and of the open circuits of circuit breakers. The gauges are set by sampling, because
/// recording each change of the pool would slow down every request too much.
///
/// | metric | dimensions |
/// | --- | --- |
/// | `http.client.open_connections` | `http.connection.state` (`active`, `idle`), `server.address`, `server.port` |
/// | `sockeye.client.pool.dialing` | `server.address`, `server.port` |
/// | `sockeye.client.pool.waiting` | `server.address`, `server.port` |
/// | `sockeye.client.circuit.open` | `server.address`, `server.port` |
///
/// ```swift
/// let gauges = ConnectionGauges(of: client.pool)
/// // samples until the task is cancelled; a ServiceGroup can call run() for you
/// try await gauges.run()
/// ```
///
/// The gauge of a circuit is 1 while the circuit is open or half-open, and 0 after the circuit has closed. The other
/// gauges of an origin become 0 when the pool has neither connections nor waiting requests for the origin any more. At
/// most 5,000 gauges are created, enough for 1,000 origins.
///
/// With `durations: true` the timer `http.client.connection.duration` also records the lifetime of each connection when
/// the connection closes. The timer has the dimensions `server.address` and `server.port`. Beyond 1,000 origins, all
/// further origins share a timer with the dimension `otel.metric.overflow`. To record every connection, create the
/// gauges before the first request and keep them until the pool is shut down.
public final class ConnectionGauges: Sendable {
    private let pool: ConnectionPool?
    private let factory: (any MetricsFactory)?
    private let breakers: [RetryPolicy.CircuitBreaker]
    private let interval: Duration
    private let meters = Mutex<[Key: Meter]>([:])
    /// Nil if durations are not recorded.
    private let durations: ConnectionDurations?

    /// The histogram bucket boundaries that OpenTelemetry's conventions advise for `http.client.connection.duration`.
    /// swift-metrics cannot pass them on, so configure your backend with them.
    public static let connectionDurationBoundaries: [Duration] = [
        10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 120_000, 300_000,
    ].map { .milliseconds($0) }

    private struct Key: Hashable {
        let label: String
        let server: ServerName
        var state: String?
    }

    /// Makes gauges that have no values until the first sample.
    ///
    /// - Parameters:
    ///   - pool: The pool to sample; several clients may share it. Nil for gauges of circuits only, for instance if the
    ///     client does not use sockets.
    ///   - breakers: The circuit breakers of one or several policies (``/Sockeye/RetryPolicy``).
    ///   - interval: The time between samples in ``run()``, limited to between 1 ms and one day. Default 10 s.
    ///   - durations: True to record `http.client.connection.duration`, which OpenTelemetry's conventions make
    ///     optional. Default false.
    ///   - factory: The factory of the gauges. Default nil: `MetricsSystem.factory`, read when a gauge gets its first
    ///     value.
    public init(
        of pool: ConnectionPool?, breakers: [RetryPolicy.CircuitBreaker] = [], every interval: Duration = .seconds(10),
        durations: Bool = false, to factory: (any MetricsFactory)? = nil
    ) {
        self.pool = pool
        self.breakers = breakers
        // Sampling without a pause would occupy a thread, and a sleep of centuries would overflow the clock.
        self.interval = min(max(interval, .milliseconds(1)), .seconds(86_400))
        self.factory = factory
        self.durations = durations ? pool.map { ConnectionDurations(of: $0, to: factory) } : nil
    }

    /// Samples until the task is cancelled, or until the service group that runs these gauges shuts down. Then all
    /// gauges are set to zero.
    public func run() async throws {
        defer { clear() }
        #if Service
        await cancelWhenGracefulShutdown { await self.sampleForever() }
        #else
        await sampleForever()
        #endif
    }

    private func sampleForever() async {
        while !Task.isCancelled {
            sample()
            try? await Task.sleep(for: interval)
        }
    }

    /// Sets the gauges to the current state.
    public func sample() {
        var values: [Key: Int] = [:]
        for origin in pool?.statistics.origins ?? [] {
            let server = ServerName(origin.origin)
            func add(_ label: String, _ count: Int, _ state: String? = nil) {
                values[Key(label: label, server: server, state: state), default: 0] += count
            }
            add("http.client.open_connections", origin.leased, "active")
            add("http.client.open_connections", origin.idle, "idle")
            add("sockeye.client.pool.dialing", origin.dialling)
            add("sockeye.client.pool.waiting", origin.waiting)
        }
        for origin in breakers.flatMap(\.openOrigins) {
            values[Key(label: "sockeye.client.circuit.open", server: ServerName(origin))] = 1
        }
        set(values)
    }

    private func set(_ values: [Key: Int]) {
        meters.withLock { meters in
            for (key, meter) in meters where values[key] == nil { meter.set(0) }
            for (key, value) in values {
                if let meter = meters[key] {
                    meter.set(value)
                } else if meters.count < 5000 {
                    let meter = Meter(
                        label: key.label, dimensions: Self.dimensions(key),
                        factory: factory ?? MetricsSystem.factory)
                    meter.set(value)
                    meters[key] = meter
                }
            }
        }
    }

    private func clear() { set([:]) }

    private static func dimensions(_ key: Key) -> [(String, String)] {
        let state = key.state.map { [("http.connection.state", $0)] } ?? []
        let port = key.server.port.map { [("server.port", "\($0)")] } ?? []
        return state + [("server.address", key.server.address)] + port
    }
}

/// The values of the dimensions `server.address` and `server.port`.
private struct ServerName: Hashable {
    let address: String
    let port: Int?

    init(_ origin: HTTPURL.Origin) {
        address = origin.host
        port = origin.port
    }
}

#if Service
extension ConnectionGauges: Service {}
#endif
#endif
