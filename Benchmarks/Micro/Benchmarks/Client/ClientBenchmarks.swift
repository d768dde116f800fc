import Benchmark
import MicroKit

// Steps of the client around an exchange that compute and decide, without I/O.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = Metrics.configuration
    benchmarkCaches()
    benchmarkPool()
    benchmarkQueries()
    benchmarkJSONCalls()
    benchmarkPolicies()
    benchmarkTransfers()
}
