import BenchmarkKit

extension ClientOptions {
    /// About how long it takes a process with these options to begin, and how long a turn takes then, in seconds. Where
    /// requests are counted, they are large: three in a second is the usual pace.
    var plannedSeconds: (start: Double, turn: Double) {
        switch mode {
        case .turns where requests != .max: (0.5, 0.35)
        case .turns, .load: (warmup + 0.2, seconds + 0.02)
        case .firstRequest: (0, 0.3)
        case .idleConnections: (0, 4)
        case .cancellations: (0, seconds + warmup + 3)
        }
    }

    /// The same for a process that takes no turns.
    var plannedOnce: Double { plannedSeconds.start + plannedSeconds.turn }

    /// The same with as few requests as show what one of them allocates.
    var forCounting: ClientOptions {
        var short = self
        if mode == .turns { short.mode = .load }
        short.seconds = min(seconds, 0.2)
        short.warmup = min(warmup, 0.1)
        if requests != .max {
            short.requests = connections
            short.warmup = 0
        }
        return short
    }
}
