import SockeyeCore
import SockeyeHTTP1
import Synchronization

/// Keeps retries in proportion to requests, so that many clients of a server in trouble do not multiply its load.
///
/// Each origin has a budget of its own: every request earns a share of a retry, for some ten seconds, and a few retries
/// per second are free, a hundred of them at once at most by default. A retry that the budget does not cover is not made,
/// and the call ends with what it has. Of 512 origins the ones that were used last are remembered.
///
/// By reference: policies and clients that hold the same budget share it.
public final class RetryBudget: Sendable {
    private let machine: Mutex<RetryBudgetMachine>

    /// Makes a budget.
    ///
    /// - Parameters:
    ///   - percent: How many retries a hundred requests earn.
    ///   - minimumPerSecond: How many retries per second need not be earned. Default 10.
    public init(percent: Double, minimumPerSecond: Double = 10) {
        machine = Mutex(RetryBudgetMachine(percent: percent, perSecond: minimumPerSecond))
    }

    /// A new budget; see ``init(percent:minimumPerSecond:)``.
    public static func percent(_ percent: Double, minimumPerSecond: Double = 10) -> RetryBudget {
        RetryBudget(percent: percent, minimumPerSecond: minimumPerSecond)
    }

    /// A request went to the origin of a URL.
    func deposit(for url: HTTPURL, at time: TimeSource) {
        machine.withLock { $0.deposit(for: url, at: time.now) }
    }

    /// Whether there may be a retry; if so, it counts.
    func withdraw(for origin: Origin, at time: TimeSource) -> Bool {
        let now = time.now
        return machine.withLock { $0.withdraw(for: origin, at: now) }
    }
}
