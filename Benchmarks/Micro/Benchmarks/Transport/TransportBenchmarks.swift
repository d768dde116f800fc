import Benchmark
import MicroKit

// What decides when to connect, to wake and to give up.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = Metrics.configuration
    benchmarkTimers()
    benchmarkConnectRaces()
}
