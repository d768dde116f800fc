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
