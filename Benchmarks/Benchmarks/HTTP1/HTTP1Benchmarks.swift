import Benchmark
import SockeyeCore
import SockeyeHTTP1

// The protocol engine: what happens to the bytes of every request and response.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = Metrics.configuration
    benchmarkResponseHeads()
    benchmarkRequestHeads()
    benchmarkChunkedBodies()
    benchmarkURLs()
}
