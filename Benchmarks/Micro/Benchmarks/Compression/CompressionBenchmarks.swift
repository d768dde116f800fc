import Benchmark
import MicroKit

// Content codings; most of the instructions are zlib's.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = Metrics.configuration
    benchmarkContentDecoding()
}
