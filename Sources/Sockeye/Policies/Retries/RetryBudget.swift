import SockeyeCore
import SockeyeHTTP
import Synchronization

extension RetryPolicy {
    /// Limits retries in proportion to requests, so that many clients of a failing server do not multiply its load.
    ///
    /// Each origin has a budget of its own. Every request earns a fraction of a retry, valid for about ten seconds. In
    /// addition a few retries per second are free; by default 10, and at most 100 at once. If the budget is exhausted,
    /// the call ends with the response or error that it has. The budgets of the 512 most recently used origins are
    /// kept, and in addition those of the first two origins.
    ///
    /// A reference type: policies and clients that hold the same budget share it.
    public final class Budget: Sendable {
        // Read when a policy is archived.
        package let percent: Double
        package let minimumPerSecond: Double
        private let machine: Mutex<RetryBudgetMachine>
        /// Lock-free counters for the first two origins: all requests of a client count, and most go to few origins.
        private let first = OriginRequestCounter()
        private let second = OriginRequestCounter()

        /// Creates a budget.
        ///
        /// - Parameters:
        ///   - percent: The number of retries that a hundred requests earn.
        ///   - minimumPerSecond: The number of free retries per second. Default 10.
        public init(percent: Double, minimumPerSecond: Double = 10) {
            self.percent = percent
            self.minimumPerSecond = minimumPerSecond
            machine = Mutex(RetryBudgetMachine(percent: percent, perSecond: minimumPerSecond))
        }

        /// Creates a budget; see ``init(percent:minimumPerSecond:)``.
        public static func percent(_ percent: Double, minimumPerSecond: Double = 10) -> RetryPolicy.Budget {
            RetryPolicy.Budget(percent: percent, minimumPerSecond: minimumPerSecond)
        }

        /// Counts a request to the origin of a URL.
        func deposit(for url: HTTPURL, at time: TimeSource) {
            if first.count(url) || second.count(url) { return }
            depositUnderLock(for: url, at: time)
        }

        @inline(never)
        private func depositUnderLock(for url: HTTPURL, at time: TimeSource) {
            machine.withLock { machine in
                switch counter(of: url, in: &machine, at: time) {
                case 0: _ = first.count(url)
                case 1: _ = second.count(url)
                default: machine.deposit(for: url, at: time.now)
                }
            }
        }

        /// Takes a retry from the budget of a URL's origin; returns false if the budget is exhausted.
        func withdraw(for url: HTTPURL, at time: TimeSource) -> Bool {
            let now = time.now
            return machine.withLock { machine in
                switch counter(of: url, in: &machine, at: time) {
                case 0: machine.withdraw(lasting: 0, after: first.take(), at: now)
                case 1: machine.withdraw(lasting: 1, after: second.take(), at: now)
                default: machine.withdraw(for: url.origin, at: now)
                }
            }
        }

        /// Returns the lock-free counter of an origin, assigning one if it is one of the first two origins; nil for
        /// others.
        ///
        /// Called under the lock, so that no origin gets two counters.
        private func counter(of url: HTTPURL, in machine: inout RetryBudgetMachine, at time: TimeSource) -> Int? {
            if first.isFor(url) { return 0 }
            if first.isFree { return first.dedicate(to: url) ? machine.addPermanentBucket(at: time.now) : nil }
            if second.isFor(url) { return 1 }
            if second.isFree { return second.dedicate(to: url) ? machine.addPermanentBucket(at: time.now) : nil }
            return nil
        }
    }
}
