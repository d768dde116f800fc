import Synchronization

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
