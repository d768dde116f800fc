import Benchmark
import MicroKit

// Steps that decide when to connect, to wake a task and to time out.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = Metrics.configuration
    benchmarkTimers()
    benchmarkConnectRaces()
}
