import Benchmark
import MicroKit

// Steps of the protocol engine, which processes the bytes of every request and response.
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
