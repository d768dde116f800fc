import BenchmarkKit

extension ClientOptions {
    /// About how long a process with these options takes.
    var plannedSeconds: Double {
        switch mode {
        // Where requests are counted, they are large: three in a second is the usual pace.
        case .load: requests == .max ? seconds + warmup + 0.2 : 0.35 * Double(requests + 1)
        case .firstRequest: 0.3
        case .idleConnections: 4
        case .cancellations: seconds + warmup + 3
        }
    }

    /// The same with as few requests as show what one of them allocates.
    var forCounting: ClientOptions {
        var short = self
        short.seconds = min(seconds, 0.2)
        short.warmup = min(warmup, 0.1)
        if requests != .max {
            short.requests = connections
            short.warmup = 0
        }
        return short
    }
}
