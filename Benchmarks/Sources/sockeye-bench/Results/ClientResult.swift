import BenchmarkKit

/// What one client achieved in one scenario over all rounds.
struct ClientResult {
    let client: String
    let measure: Scenario.Measure
    var samples: [Sample] = []
    /// Rounds in which the process failed as a whole.
    var failures = 0

    /// Requests, or GB, a second.
    var rate: Spread? {
        Spread(
            good.map { measure == .requests ? Double($0.requests) / $0.seconds : Double($0.bytes) / $0.seconds / 1e9 })
    }

    /// CPU microseconds a request, or CPU seconds a GB.
    var cpu: Spread? {
        Spread(
            good.map { sample in
                let used = sample.user + sample.system
                return measure == .requests ? used / Double(sample.requests) * 1e6 : used / Double(sample.bytes) * 1e9
            })
    }

    /// Thousands of instructions in user mode a request, or single ones a KiB; nil where they cannot be counted.
    var instructions: Spread? {
        let counted = good.filter { $0.instructions > 0 }
        return Spread(
            counted.map { sample in
                let count = Double(sample.instructions)
                return measure == .requests
                    ? count / Double(sample.requests) / 1e3 : count / Double(sample.bytes) * 1024
            })
    }

    func latency(_ quantile: KeyPath<Sample, Double>) -> Double? {
        Spread(good.map { $0[keyPath: quantile] })?.median
    }

    /// Peak memory in MiB, and how much of it the process had before its first request.
    var peakMiB: Double? { Spread(good.map { Double($0.peakKiB) / 1024 })?.median }
    var idleMiB: Double? { Spread(good.map { Double($0.idleKiB) / 1024 })?.median }

    var errors: Int { failures + samples.reduce(0) { $0 + $1.errors } }

    private var good: [Sample] { samples.filter { $0.requests > 0 } }
}
