package import SockeyeCore
import Synchronization

/// Retry budgets by origin, which keep retries in proportion to requests, so that clients of a server in trouble do not
/// multiply its load. Without a clock: time is passed in.
///
/// As finagle's and tower's: each request earns a share of a retry for some seconds, and a few retries per second are
/// free, for clients that have little traffic.
package struct RetryBudgetMachine: Sendable {
    private let rules: RetryTokenBucket.Rules
    private var buckets: OriginLRU<RetryTokenBucket>
    /// Of origins whose requests are counted elsewhere, by their number; not forgotten.
    private var lasting: [RetryTokenBucket] = []

    /// - Parameters:
    ///   - percent: Retries for a hundred requests.
    ///   - perSecond: Retries for each second that need not be earned.
    package init(percent: Double, perSecond: Double, window: Duration = .seconds(10), capacity: Int = 512) {
        rules = RetryTokenBucket.Rules(
            share: max(0, percent / 100), perSecond: max(0, perSecond),
            window: max(0.001, Double(window.clampedNanoseconds) / 1e9))
        buckets = OriginLRU(capacity: capacity)
    }

    /// A request was made.
    ///
    /// - Parameters:
    ///   - url: Its URL, of which only the origin matters: handing on that itself takes counting more references.
    ///   - now: Asked for when it is the first one to its origin.
    package mutating func deposit(for url: HTTPURL, at now: @autoclosure () -> MonotonicTime) {
        if buckets.change(originOf: url, { $0.deposit() }) != nil { return }
        var bucket = RetryTokenBucket(rules, at: now())
        bucket.deposit()
        buckets.add(url.origin, bucket)
    }

    /// Takes a retry, if there is one left.
    package mutating func withdraw(for origin: HTTPURL.Origin, at now: MonotonicTime) -> Bool {
        if let taken = buckets.change(origin, { [rules] in $0.withdraw(rules, at: now) }) { return taken }
        var bucket = RetryTokenBucket(rules, at: now)
        defer { buckets.add(origin, bucket) }
        return bucket.withdraw(rules, at: now)
    }

    /// Adds the bucket of an origin that is never evicted, whose requests are counted elsewhere.
    ///
    /// - Returns: Its number, from 0 on.
    package mutating func addLasting(at now: MonotonicTime) -> Int {
        lasting.append(RetryTokenBucket(rules, at: now))
        return lasting.count - 1
    }

    /// Takes a retry of such an origin, if there is one left.
    ///
    /// - Parameter requests: How many there were since this was asked last.
    package mutating func withdraw(lasting number: Int, after requests: Int, at now: MonotonicTime) -> Bool {
        guard lasting.indices.contains(number) else { return false }
        lasting[number].deposit(requests)
        return lasting[number].withdraw(rules, at: now)
    }

    /// How many origins are remembered, but for those.
    var count: Int { buckets.count }
}

/// A token bucket for the retries of one origin.
struct RetryTokenBucket: Sendable {
    /// The parameters of a bucket.
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

/// An atomic counter of the requests to one origin, for a ``RetryBudgetMachine`` without its lock.
package struct OriginRequestCounter: ~Copyable, Sendable {
    private let origin = AtomicURLPrefix()
    private let requests = Atomic<Int>(0)

    package init() {}

    /// Whether it is no origin's yet.
    package var isFree: Bool { !origin.isSet }

    /// Makes it that of the origin of a URL, for good. Only one thread at a time may do that.
    ///
    /// - Returns: Whether that was possible: some origins are too long.
    package func dedicate(to url: HTTPURL) -> Bool { origin.set(URLPrefix(url, .origin), of: url) }

    /// Whether it is that of the origin of a URL.
    package func isFor(_ url: HTTPURL) -> Bool { origin.matches(url) }

    /// Counts a request if it goes to this origin, and says whether it does.
    package func count(_ url: HTTPURL) -> Bool {
        guard origin.matches(url) else { return false }
        requests.wrappingAdd(1, ordering: .relaxed)
        return true
    }

    /// How many there were since this was asked last.
    package func take() -> Int { requests.exchange(0, ordering: .relaxed) }
}
