import SockeyeCore

/// The way in which a body is throttled.
enum Throttle: Sendable, Hashable {
    /// Packets of at most `size` bytes with a pause between packets.
    case packets(size: Int, delay: Duration)
    /// A maximum rate in bytes per second.
    case rate(Int)
}

/// A rate limiter: decides how many bytes of a throttled body may be sent, and when. No I/O.
struct RateLimiter: Sendable {
    enum Step: Sendable, Equatable {
        /// At most this many bytes may be sent now.
        case send(atMost: Int)
        /// No byte may be sent before this time.
        case wait(until: MonotonicTime)
    }

    private let throttle: Throttle
    /// The number of bytes left of the current packet.
    private var allowance: Int
    /// The earliest time of the next packet; nil if it may start now.
    private var due: MonotonicTime?

    init(_ throttle: Throttle) {
        self.throttle = throttle
        allowance = throttle.packetSize
    }

    func next(at now: MonotonicTime) -> Step {
        if let due, due > now { return .wait(until: due) }
        return .send(atMost: allowance > 0 ? allowance : throttle.packetSize)
    }

    /// Records that `count` bytes were sent between `start` and `now`.
    mutating func sent(_ count: Int, from start: MonotonicTime, to now: MonotonicTime) {
        switch throttle {
        case .packets(_, let delay):
            if allowance <= 0 { allowance = throttle.packetSize }
            allowance -= count
            due = allowance > 0 ? nil : now.advanced(by: delay)
        case .rate(let rate):
            // The next packet's time is counted from the time at which this packet was due, not from its sending.
            // Otherwise each late wake-up would lower the rate. The burst limit (`longestDebt`) prevents a flood after
            // the peer stopped reading for long.
            let earliest = start.advanced(by: .zero - Self.longestDebt)
            let begun = max(due ?? start, earliest)
            due = begun.advanced(by: .nanoseconds(Int64(Double(count) / Double(max(1, rate)) * 1e9)))
        }
    }

    /// The burst limit: the largest delay that is made up for by faster sending.
    private static let longestDebt = Duration.seconds(1)
}

extension Throttle {
    /// The maximum number of bytes sent at once. For a rate, this is the number of bytes that the rate allows in 20 ms,
    /// at most 256 KiB. Smaller packets need more wake-ups, and larger ones delay other traffic more. 256 KiB usually
    /// fits into a socket's send buffer.
    fileprivate var packetSize: Int {
        switch self {
        case .packets(let size, _): max(1, size)
        case .rate(let rate): min(max(1, rate / 50), 256 << 10)
        }
    }
}
