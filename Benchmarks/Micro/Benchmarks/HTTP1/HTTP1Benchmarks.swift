import Benchmark
import MicroKit

// The protocol engine: what happens to the bytes of every request and response.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = Metrics.configuration
    benchmarkResponseHeads()
    benchmarkResponseFields()
    benchmarkRequestHeads()
    benchmarkBodyFraming()
    benchmarkChunkedBodies()
    benchmarkChunkFrames()
    benchmarkExchanges()
    benchmarkMediaTypes()
    benchmarkURLs()
}
