import BenchmarkKit

extension Sample {
    /// What several processes did one after another, as if it were one: sums, and medians of what they were asked for.
    init(combining samples: [Sample]) {
        self = samples[0]
        guard samples.count > 1 else { return }
        let times = samples.map(\.p50).sorted()
        requests = samples.reduce(0) { $0 + $1.requests }
        bytes = samples.reduce(0) { $0 + $1.bytes }
        seconds = samples.reduce(0) { $0 + $1.seconds }
        user = samples.reduce(0) { $0 + $1.user }
        system = samples.reduce(0) { $0 + $1.system }
        instructions = samples.reduce(0) { $0 + $1.instructions }
        errors = samples.reduce(0) { $0 + $1.errors }
        firstError = samples.lazy.compactMap(\.firstError).first
        peakKiB = samples.map(\.peakKiB).max() ?? 0
        p50 = times[times.count / 2]
        p99 = times[times.count - 1]
        p999 = p99
    }
}
