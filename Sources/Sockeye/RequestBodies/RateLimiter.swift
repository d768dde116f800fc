import SockeyeCore

/// How a body is slowed down.
enum Throttle: Sendable, Hashable {
    /// Packets of at most `size` bytes with a pause between two of them.
    case packets(size: Int, delay: Duration)
    /// So many bytes in a second.
    case rate(Int)
}

/// A rate limiter: decides how many bytes of a throttled body may go out, and when. No I/O.
struct RateLimiter: Sendable {
    enum Step: Sendable, Equatable {
        /// At most this many bytes may go out now.
        case send(atMost: Int)
        case wait(until: MonotonicTime)
    }

    private let throttle: Throttle
    /// What is left of the current packet.
    private var allowance: Int
    /// When the next packet may begin.
    private var due: MonotonicTime?

    init(_ throttle: Throttle) {
        self.throttle = throttle
        allowance = throttle.packetSize
    }

    func next(at now: MonotonicTime) -> Step {
        if let due, due > now { return .wait(until: due) }
        return .send(atMost: allowance > 0 ? allowance : throttle.packetSize)
    }

    /// Notes that `count` bytes went out, which took until `now`.
    mutating func sent(_ count: Int, from start: MonotonicTime, to now: MonotonicTime) {
        switch throttle {
        case .packets(_, let delay):
            if allowance <= 0 { allowance = throttle.packetSize }
            allowance -= count
            due = allowance > 0 ? nil : now.advanced(by: delay)
        case .rate(let rate):
            // Counted from when the packet was due, not from when it went, or each late wake-up would lower the rate.
            // The burst limit keeps a peer that stopped for long from being flooded afterwards.
            let earliest = start.advanced(by: .zero - Self.longestDebt)
            let begun = max(due ?? start, earliest)
            due = begun.advanced(by: .nanoseconds(Int64(Double(count) / Double(max(1, rate)) * 1e9)))
        }
    }

    /// The burst limit: lateness beyond it is not made up for.
    private static let longestDebt = Duration.seconds(1)
}

extension Throttle {
    /// The most bytes that go out at once. For a rate those of 20 ms: fewer cost more wake-ups, more delay others on
    /// the line. At most 256 KiB, which a socket takes at once.
    fileprivate var packetSize: Int {
        switch self {
        case .packets(let size, _): max(1, size)
        case .rate(let rate): min(max(1, rate / 50), 256 << 10)
        }
    }
}
