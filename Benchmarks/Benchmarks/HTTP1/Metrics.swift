import Benchmark

/// What is measured: instructions, which other work on the machine does not change, and time for the reader.
enum Metrics {
    static var configuration: Benchmark.Configuration {
        Benchmark.Configuration(
            metrics: [.instructions, .wallClock], warmupIterations: 3, scalingFactor: .kilo,
            maxDuration: .milliseconds(500), maxIterations: 1000,
            thresholds: [.instructions: BenchmarkThresholds(relative: [.p50: 5.0])])
    }
}
