public import Benchmark

/// What is measured: instructions, which other work on the machine does not change, and time for the reader.
///
/// Every sample is 1,000 runs of a step, whatever the step: `Scripts/micro-benchmarks.py` counts on it, and the
/// thousands keep what surrounds a sample out of the figures.
public enum Metrics {
    /// The settings of every benchmark here.
    public static var configuration: Benchmark.Configuration {
        Benchmark.Configuration(
            metrics: [.instructions, .wallClock], warmupIterations: 2, scalingFactor: .kilo,
            maxDuration: .milliseconds(300), maxIterations: 300)
    }

    /// For steps of so many instructions that a thousand of them would take seconds: every sample is one run, and what
    /// surrounds it is kept out by `startMeasurement()` and `stopMeasurement()`. `Scripts/micro-benchmarks.py` knows them.
    public static var singleRuns: Benchmark.Configuration {
        var configuration = configuration
        configuration.scalingFactor = .one
        return configuration
    }
}
