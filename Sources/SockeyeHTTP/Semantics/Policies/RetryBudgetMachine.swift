package import SockeyeCore

/// Retry budgets by origin. They keep retries in proportion to requests, so that the clients of an overloaded server do
/// not multiply its load. The machine has no clock; the caller passes the time.
///
/// Works like the budgets of the libraries finagle and tower. Each request earns a fraction of a retry, which expires
/// gradually over a window of time. A few retries per second are free, so that clients with little traffic can retry.
package struct RetryBudgetMachine: Sendable {
    /// The maximum number of retries that one request can earn. It must be finite: zero requests times an infinite
    /// share would make the balance NaN.
    private static let maximumShare = 1e9

    private let rules: RetryTokenBucket.Rules
    private var buckets: LRUCache<HTTPURL.Origin, RetryTokenBucket>

    /// - Parameters:
    ///   - percent: The number of retries earned by 100 requests.
    ///   - perSecond: The number of free retries per second.
    ///   - window: The time for which earned and free retries are kept.
    ///   - capacity: The maximum number of origins with a budget. Beyond it, the budget of the least recently used
    ///     origin is forgotten.
    package init(percent: Double, perSecond: Double, window: Duration = .seconds(10), capacity: Int = 512) {
        rules = RetryTokenBucket.Rules(
            share: min(max(0, percent / 100), Self.maximumShare), perSecond: max(0, perSecond),
            window: max(0.001, Double(window.clampedNanoseconds) / 1e9))
        buckets = LRUCache(capacity: capacity)
    }

    /// Counts a request.
    ///
    /// - Parameters:
    ///   - url: The URL of the request; only its origin matters. The parameter is a URL, because passing an origin
    ///     would touch more reference counts.
    ///   - now: The time, evaluated only if the origin has no budget yet.
    package mutating func deposit(for url: HTTPURL, at now: @autoclosure () -> MonotonicTime) {
        if buckets.useNewest(where: url.isAt, { $0.deposit() }) != nil { return }
        if buckets.use(url.origin, { $0.deposit() }) != nil { return }
        var bucket = RetryTokenBucket(rules, at: now())
        bucket.deposit()
        buckets.insert(bucket, for: url.origin)
    }

    /// Takes a retry from the budget; false if it is used up.
    package mutating func withdraw(for origin: HTTPURL.Origin, at now: MonotonicTime) -> Bool {
        if let taken = buckets.use(origin, { [rules] in $0.withdraw(rules, at: now) }) { return taken }
        var bucket = RetryTokenBucket(rules, at: now)
        defer { buckets.insert(bucket, for: origin) }
        return bucket.withdraw(rules, at: now)
    }

    /// The number of remembered origins.
    var count: Int { buckets.count }
}

/// A token bucket for the retries of one origin.
struct RetryTokenBucket: Sendable {
    /// The parameters of a bucket.
    struct Rules: Sendable {
        /// The fraction of a retry that each request earns.
        let share: Double
        /// The number of free retries per second.
        let perSecond: Double
        /// The time for which earned and free retries are kept, in seconds.
        let window: Double

        /// The maximum number of free retries.
        var fullReserve: Double { perSecond * window }
    }

    /// Requests since ``updatedAt``.
    private var requests: Double = 0
    /// The balance of retries that were earned before ``updatedAt``.
    private var earned: Double = 0
    /// The balance of free retries.
    private var reserve: Double
    private var updatedAt: MonotonicTime

    init(_ rules: Rules, at now: MonotonicTime) {
        reserve = rules.fullReserve
        updatedAt = now
    }

    /// Counts a request. The balances are updated only before a retry, because retries are rare.
    mutating func deposit() {
        requests += 1
    }

    /// Takes a retry; false if none is left.
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

    /// Updates the balances. Earned retries expire gradually over a window. The requests are assumed to be evenly
    /// distributed over the elapsed time. If that time is longer than a window, only the requests of the last window
    /// count.
    private mutating func settle(_ rules: Rules, at now: MonotonicTime) {
        let elapsed = Double(now.since(updatedAt).clampedNanoseconds) / 1e9
        // Times from several threads may arrive out of order.
        updatedAt = max(updatedAt, now)
        reserve = min(rules.fullReserve, reserve + rules.perSecond * elapsed)
        let kept = max(0, 1 - elapsed / rules.window)
        earned = earned * kept + requests * rules.share * (rules.window / max(elapsed, rules.window))
        requests = 0
    }
}
