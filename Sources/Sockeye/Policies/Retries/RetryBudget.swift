import SockeyeCore
import SockeyeHTTP
import Synchronization

extension RetryPolicy {
    /// Keeps retries in proportion to requests, so that many clients of a server in trouble do not multiply its load.
    ///
    /// Each origin has a budget of its own: every request earns a share of a retry, for some ten seconds, and a few retries
    /// per second are free, a hundred of them at once at most by default. A retry that the budget does not cover is not made,
    /// and the call ends with what it has. Of 512 origins the ones that were used last are remembered, and the first two for good.
    ///
    /// By reference: policies and clients that hold the same budget share it.
    public final class Budget: Sendable {
        // For archives.
        package let percent: Double
        package let minimumPerSecond: Double
        private let machine: Mutex<RetryBudgetMachine>
        /// For the origins that came first, since all requests of a client count, and most go to few origins.
        private let first = OriginRequestCounter()
        private let second = OriginRequestCounter()

        /// Makes a budget.
        ///
        /// - Parameters:
        ///   - percent: How many retries a hundred requests earn.
        ///   - minimumPerSecond: How many retries per second need not be earned. Default 10.
        public init(percent: Double, minimumPerSecond: Double = 10) {
            self.percent = percent
            self.minimumPerSecond = minimumPerSecond
            machine = Mutex(RetryBudgetMachine(percent: percent, perSecond: minimumPerSecond))
        }

        /// A new budget; see ``init(percent:minimumPerSecond:)``.
        public static func percent(_ percent: Double, minimumPerSecond: Double = 10) -> RetryPolicy.Budget {
            RetryPolicy.Budget(percent: percent, minimumPerSecond: minimumPerSecond)
        }

        /// A request goes to the origin of a URL.
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

        /// Whether there may be a retry of a request to a URL; if so, it counts.
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

        /// The lock-free counter that an origin has, or gets as one of the first two; nil: none. Under the lock, so
        /// that no origin gets two.
        private func counter(of url: HTTPURL, in machine: inout RetryBudgetMachine, at time: TimeSource) -> Int? {
            if first.isFor(url) { return 0 }
            if first.isFree { return first.dedicate(to: url) ? machine.addLasting(at: time.now) : nil }
            if second.isFor(url) { return 1 }
            if second.isFree { return second.dedicate(to: url) ? machine.addLasting(at: time.now) : nil }
            return nil
        }
    }
}
