import SockeyeCore
import SockeyeHTTP
import Synchronization

extension RetryPolicy {
    /// Limits retries in proportion to requests, so that many clients of a failing server do not multiply its load.
    ///
    /// Retries are counted separately for each origin. Every request to an origin earns a fraction of a retry, which
    /// expires within about ten seconds. In addition, a few retries per second are free (not earned by requests): by
    /// default 10. Unused free retries of the last ten seconds remain available, by default up to 100. If an origin has
    /// no retries left, the call ends with the response or error of its last attempt. The counts of the 512 most
    /// recently used origins are kept.
    ///
    /// A reference type: policies and clients that hold the same `Budget` share its counts.
    public final class Budget: Sendable {
        // `package` because SockeyeArchiving encodes them.
        package let percent: Double
        package let minimumPerSecond: Double
        private let machine: Mutex<RetryBudgetMachine>

        /// Creates a budget.
        ///
        /// - Parameters:
        ///   - percent: The number of retries that a hundred requests add to the budget.
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
            machine.withLock { $0.deposit(for: url, at: time.now) }
        }

        /// Takes a retry from the budget of a URL's origin; returns false if the budget is exhausted.
        func withdraw(for url: HTTPURL, at time: TimeSource) -> Bool {
            let now = time.now
            return machine.withLock { $0.withdraw(for: url.origin, at: now) }
        }
    }
}
