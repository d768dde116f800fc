import SockeyeCore

/// The retry state of one request: counts retries and says how long to wait for the next.
package struct RetryMachine: Sendable {
    private let limit: Int
    private let backoff: RetryBackoff
    private let longestAsked: Duration
    /// How many retries were made.
    package private(set) var count = 0

    /// - Parameter longestAsked: The longest pause that a server may ask for.
    package init(limit: Int, backoff: RetryBackoff, longestAsked: Duration) {
        self.limit = limit
        self.backoff = backoff
        self.longestAsked = longestAsked
    }

    /// Whether there may be another retry at all.
    package var isExhausted: Bool { count >= limit }

    /// The pause before the next retry; nil when the server asks for a longer one than it may.
    ///
    /// - Parameters:
    ///   - asked: What the server asks for. Coming later than that is no harm, earlier would be.
    ///   - random: From 0 up to 1.
    package func pause(asked: Duration?, random: Double) -> Duration? {
        if let asked, asked > longestAsked { return nil }
        return max(asked ?? .zero, backoff.pause(before: count + 1, random: random))
    }

    /// Whether a pause leaves time for anything after it.
    ///
    /// - Parameter remaining: What is left of the call; nil when it may take forever.
    package func allows(_ pause: Duration, remaining: Duration?) -> Bool {
        guard !isExhausted, let remaining else { return !isExhausted }
        return pause < remaining
    }

    /// There is another retry.
    package mutating func retry() {
        count += 1
    }
}

/// How the pauses before retries grow.
///
/// ```swift
/// .exponential(jitter: .full)                                   // up to 0.5, 1, 2, 4 … 30 s, each at random
/// .exponential(base: .milliseconds(100), factor: 3, cap: .seconds(5), jitter: .equal)
/// .constant(.seconds(1))
/// ```
public struct RetryBackoff: Sendable, Hashable {
    /// What part of a pause is left to chance, so that clients which failed together do not come back together.
    @nonexhaustive public enum Jitter: Sendable, Hashable {
        /// Nothing.
        case none
        /// All of it: between zero and the whole pause.
        case full
        /// Half of it: between half and the whole pause.
        case equal
    }

    // In seconds; the members are for archives.
    package let base: Double
    package let factor: Double
    package let cap: Double
    package let jitter: Jitter

    private init(base: Duration, factor: Double, cap: Duration, jitter: Jitter) {
        self.base = max(0, base.inSeconds)
        self.factor = factor
        self.cap = min(max(0, cap.inSeconds), Self.longest)
        self.jitter = jitter
    }

    /// Some thirty years, in seconds.
    private static let longest = 1e9

    /// No pause at all.
    public static let none = constant(.zero)

    /// The same pause each time.
    ///
    /// - Parameters:
    ///   - pause: How long.
    ///   - jitter: Default none.
    public static func constant(_ pause: Duration, jitter: Jitter = .none) -> RetryBackoff {
        RetryBackoff(base: pause, factor: 1, cap: pause, jitter: jitter)
    }

    /// Pauses that grow from retry to retry: base, base · factor, base · factor² …
    ///
    /// - Parameters:
    ///   - base: The first pause. Default 0.5 s.
    ///   - factor: Default 2. One or less leaves all pauses as the first.
    ///   - cap: The longest pause. Default 30 s.
    ///   - jitter: Default ``Jitter/full``.
    public static func exponential(
        base: Duration = .milliseconds(500), factor: Double = 2, cap: Duration = .seconds(30), jitter: Jitter = .full
    ) -> RetryBackoff {
        RetryBackoff(base: base, factor: factor, cap: cap, jitter: jitter)
    }

    /// The pause before a retry.
    ///
    /// - Parameters:
    ///   - retry: Counted from 1.
    ///   - random: From 0 up to 1.
    package func pause(before retry: Int, random: Double) -> Duration {
        var seconds = base
        var step = 1
        while step < retry, factor > 1, seconds > 0, seconds < cap {
            seconds *= factor
            step += 1
        }
        seconds = min(seconds, cap)
        switch jitter {
        case .none: break
        case .full: seconds *= random
        case .equal: seconds = seconds / 2 * (1 + random)
        }
        return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }
}

extension Duration {
    fileprivate var inSeconds: Double { Double(clampedNanoseconds) / 1e9 }
}
