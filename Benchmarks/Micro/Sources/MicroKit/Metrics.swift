public import Benchmark

/// The metrics: instructions, which other load on the machine does not change, and time for information.
///
/// Every sample has 1,000 runs of a step; `Scripts/micro-benchmarks.py` relies on that. So many runs make the cost of
/// starting a sample negligible.
public enum Metrics {
    /// The settings of every benchmark here.
    public static var configuration: Benchmark.Configuration {
        Benchmark.Configuration(
            metrics: [.instructions, .wallClock], warmupIterations: 2, scalingFactor: .kilo,
            maxDuration: .milliseconds(300), maxIterations: 300)
    }

    /// The settings for steps of which a thousand runs would take seconds: every sample is one run, and
    /// `startMeasurement()` and `stopMeasurement()` exclude the rest of the sample. `Scripts/micro-benchmarks.py` knows
    /// these steps.
    public static var singleRuns: Benchmark.Configuration {
        var configuration = configuration
        configuration.scalingFactor = .one
        return configuration
    }
}
