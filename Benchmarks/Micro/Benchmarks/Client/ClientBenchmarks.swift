import Benchmark
import MicroKit

// What the client does around an exchange, as far as it decides and does not act.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = Metrics.configuration
    benchmarkCaches()
    benchmarkPool()
    benchmarkQueries()
    benchmarkJSONCalls()
    benchmarkPolicies()
    benchmarkTransfers()
}
