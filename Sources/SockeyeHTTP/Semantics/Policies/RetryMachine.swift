import SockeyeCore

/// The retry state of one request: counts retries and determines the pause before the next.
package struct RetryMachine: Sendable {
    private let limit: Int
    private let backoff: RetryBackoff
    private let maximumServerPause: Duration
    /// The number of retries made.
    package private(set) var count = 0

    /// - Parameter maximumServerPause: The maximum pause that a server may request.
    package init(limit: Int, backoff: RetryBackoff, maximumServerPause: Duration) {
        self.limit = limit
        self.backoff = backoff
        self.maximumServerPause = maximumServerPause
    }

    /// True if no further retry is allowed.
    package var isExhausted: Bool { count >= limit }

    /// Returns the pause before the next retry; nil if the server requests a longer pause than allowed.
    ///
    /// - Parameters:
    ///   - serverPause: The pause that the server requests, if any. The result is at least as long.
    ///   - random: A random number from 0 up to 1.
    package func pause(serverPause: Duration?, random: Double) -> Duration? {
        if let serverPause, serverPause > maximumServerPause { return nil }
        return max(serverPause ?? .zero, backoff.pause(before: count + 1, random: random))
    }

    /// Returns true if another retry is allowed and time is left for it after the pause.
    ///
    /// - Parameter remaining: The remaining time of the call; nil if unlimited.
    package func allows(_ pause: Duration, remaining: Duration?) -> Bool {
        guard !isExhausted, let remaining else { return !isExhausted }
        return pause < remaining
    }

    /// Counts a retry.
    package mutating func retry() {
        count += 1
    }
}

/// The growth of the pauses before retries.
///
/// ```swift
/// // random pauses from zero to 0.5, 1, 2, 4 … 30 s
/// let usual = RetryBackoff.exponential(jitter: .full)
/// // random pauses from half to all of 0.1, 0.3, 0.9 … 5 s
/// let steeper = RetryBackoff.exponential(
///     base: .milliseconds(100), factor: 3, cap: .seconds(5), jitter: .equal)
/// let steady = RetryBackoff.constant(.seconds(1))
/// ```
public struct RetryBackoff: Sendable, Hashable {
    /// The random part of a pause. It keeps clients that failed together from retrying together.
    @nonexhaustive public enum Jitter: Sendable, Hashable {
        /// No random part.
        case none
        /// A random pause between zero and the whole pause.
        case full
        /// A random pause between half and the whole pause.
        case equal
    }

    // `base` and `cap` are in seconds. The four properties are not private, because the module SockeyeArchiving makes
    // the type `Codable`.
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

    /// The maximum of `cap`: about thirty years, in seconds.
    private static let longest = 1e9

    /// No pause.
    public static let none = constant(.zero)

    /// Returns a backoff with the same pause before each retry.
    ///
    /// - Parameters:
    ///   - pause: The pause.
    ///   - jitter: The random part. Default none.
    public static func constant(_ pause: Duration, jitter: Jitter = .none) -> RetryBackoff {
        RetryBackoff(base: pause, factor: 1, cap: pause, jitter: jitter)
    }

    /// Returns a backoff with pauses that grow from retry to retry: base, base · factor, base · factor² …
    ///
    /// - Parameters:
    ///   - base: The first pause. Default 0.5 s.
    ///   - factor: The growth factor. Default 2. With 1 or less, all pauses equal the first.
    ///   - cap: The longest pause. Default 30 s.
    ///   - jitter: The random part. Default ``Jitter/full``.
    public static func exponential(
        base: Duration = .milliseconds(500), factor: Double = 2, cap: Duration = .seconds(30), jitter: Jitter = .full
    ) -> RetryBackoff {
        RetryBackoff(base: base, factor: factor, cap: cap, jitter: jitter)
    }

    /// Returns the pause before a retry.
    ///
    /// - Parameters:
    ///   - retry: The number of the retry, from 1.
    ///   - random: A random number from 0 up to 1.
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
