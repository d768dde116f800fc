package import SockeyeCore

/// The keep-alive of a connection as a value: when to ping a silent peer, and when to give it up.
///
/// Any byte that comes is a sign of life; while bytes come, no pings go.
package struct KeepAliveMachine: Sendable {
    package enum Action: Sendable, Hashable {
        /// Nothing to do until then.
        case sleep(until: MonotonicTime)
        case ping
        /// Nothing came for too long after a ping.
        case fail
    }

    private let interval: Duration
    private let timeout: Duration
    private var nextPing: MonotonicTime
    private var received: UInt64
    /// Until when something has to come; nil while no ping is out.
    private var deadline: MonotonicTime?

    /// - Parameters:
    ///   - interval: The silence before a ping.
    ///   - timeout: The silence after it that ends the connection.
    package init(interval: Duration, timeout: Duration, now: MonotonicTime, received: UInt64 = 0) {
        self.interval = interval
        self.timeout = timeout
        self.received = received
        nextPing = now.advanced(by: interval)
    }

    /// - Parameters:
    ///   - received: How many bytes have come so far.
    ///   - lastByte: When the last of them was read; nil: now.
    ///   - isHeldUp: Whether a message waits for a receiver. The pong may be behind it, so that silence means nothing.
    package mutating func step(
        now: MonotonicTime, received: UInt64, lastByte: MonotonicTime? = nil, isHeldUp: Bool
    ) -> Action {
        if received != self.received {
            self.received = received
            deadline = nil
            nextPing = (lastByte ?? now).advanced(by: interval)
        }
        if let due = deadline {
            guard isHeldUp else { return now >= due ? .fail : .sleep(until: due) }
            deadline = now.advanced(by: timeout)
            return .sleep(until: now.advanced(by: timeout))
        }
        guard now >= nextPing else { return .sleep(until: nextPing) }
        deadline = now.advanced(by: timeout)
        nextPing = now.advanced(by: interval)
        return .ping
    }
}
