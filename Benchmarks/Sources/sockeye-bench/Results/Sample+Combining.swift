import BenchmarkKit

extension Sample {
    /// Combines the samples of several processes with one request each: sums, the largest peak of memory, and the
    /// median and maximum of their latencies.
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
