import BenchmarkKit

extension ClientOptions {
    /// The estimated seconds for the start of a process with these options, and for a turn. If the number of requests
    /// is limited, they are large: usually three per second.
    var plannedSeconds: (start: Double, turn: Double) {
        switch mode {
        case .turns where requests != .max: (0.5, 0.35)
        case .turns, .load: (warmup + 0.2, seconds + 0.02)
        case .firstRequest: (0, 0.3)
        case .idleConnections: (0, 4)
        case .cancellations: (0, seconds + warmup + 3)
        }
    }

    /// The estimated seconds of a process that takes no turns.
    var plannedOnce: Double { plannedSeconds.start + plannedSeconds.turn }

    /// These options with just enough requests for counting the allocations of one.
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
