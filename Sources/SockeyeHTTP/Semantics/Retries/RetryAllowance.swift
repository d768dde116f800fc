import SockeyeCore

/// What one origin may be asked again.
struct RetryAllowance: Sendable {
    /// What an allowance is made of.
    struct Rules: Sendable {
        /// The share of a retry that each request earns.
        let share: Double
        /// Retries for each second that need not be earned.
        let perSecond: Double
        /// How long both are remembered.
        let window: Double

        /// The most retries that need not be earned.
        var fullReserve: Double { perSecond * window }
    }

    /// Requests since ``settled``.
    private var requests: Double = 0
    private var earned: Double = 0
    private var reserve: Double
    private var settled: MonotonicTime

    init(_ rules: Rules, at now: MonotonicTime) {
        reserve = rules.fullReserve
        settled = now
    }

    /// Counts requests, and nothing else: it happens for every one of them, and retries are rare.
    mutating func deposit(_ count: Int = 1) {
        requests += Double(count)
    }

    /// Takes a retry, if there is one left.
    mutating func withdraw(_ rules: Rules, at now: MonotonicTime) -> Bool {
        settle(rules, at: now)
        if earned >= 1 {
            earned -= 1
        } else if reserve >= 1 {
            reserve -= 1
        } else {
            return false
        }
        return true
    }

    /// Brings it up to date: what was earned is forgotten in the course of a window, and of requests over a longer time
    /// only the share of the last window counts, as if they had been evenly spread.
    private mutating func settle(_ rules: Rules, at now: MonotonicTime) {
        let elapsed = Double(now.since(settled).clampedNanoseconds) / 1e9
        // Times of several threads may come in another order.
        settled = max(settled, now)
        reserve = min(rules.fullReserve, reserve + rules.perSecond * elapsed)
        let kept = max(0, 1 - elapsed / rules.window)
        earned = earned * kept + requests * rules.share * (rules.window / max(elapsed, rules.window))
        requests = 0
    }
}
