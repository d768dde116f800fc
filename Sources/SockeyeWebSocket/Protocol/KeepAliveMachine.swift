package import SockeyeCore

/// The keep-alive of a connection, as a state machine without I/O. It decides when to ping a silent peer, and when the
/// connection has failed.
///
/// Any received byte shows that the peer is alive; while bytes arrive, no pings are sent.
package struct KeepAliveMachine: Sendable {
    package enum Action: Sendable, Hashable {
        /// Do nothing until this time.
        case sleep(until: MonotonicTime)
        case ping
        /// The peer was silent for too long after a ping.
        case fail
    }

    private let interval: Duration
    private let timeout: Duration
    private var nextPing: MonotonicTime
    private var received: UInt64
    private var sent: UInt64 = 0
    private var hadUnsentOutput = false
    /// The time by which a byte has to arrive; nil if no ping is outstanding.
    private var deadline: MonotonicTime?

    /// - Parameters:
    ///   - interval: The duration of silence after which the machine pings the peer.
    ///   - timeout: The duration of silence, measured from a ping, after which the connection counts as failed.
    package init(interval: Duration, timeout: Duration, now: MonotonicTime, received: UInt64 = 0) {
        self.interval = interval
        self.timeout = timeout
        self.received = received
        nextPing = now.advanced(by: interval)
    }

    /// Returns the next action.
    ///
    /// - Parameters:
    ///   - received: The number of bytes received so far.
    ///   - lastByte: The time at which the last received byte was read; nil means now.
    ///   - hasUnreceivedMessage: True if a message waits for a task to receive it. Meanwhile the connection reads no
    ///     further bytes, not even a pong, so the time-out starts again at each step.
    ///   - sent: The number of bytes that the stream has accepted so far.
    ///   - hasUnsentOutput: True if the stream has not accepted all output yet. The ping may be part of the remaining
    ///     output, so the time-out starts again whenever the stream has accepted more bytes.
    package mutating func step(
        now: MonotonicTime, received: UInt64, lastByte: MonotonicTime? = nil, hasUnreceivedMessage: Bool,
        sent: UInt64 = 0, hasUnsentOutput: Bool = false
    ) -> Action {
        let isSending = sent != self.sent && (hadUnsentOutput || hasUnsentOutput)
        self.sent = sent
        hadUnsentOutput = hasUnsentOutput
        if received != self.received {
            self.received = received
            deadline = nil
            nextPing = (lastByte ?? now).advanced(by: interval)
        }
        if let due = deadline {
            guard hasUnreceivedMessage || isSending else { return now >= due ? .fail : .sleep(until: due) }
            deadline = now.advanced(by: timeout)
            return .sleep(until: now.advanced(by: timeout))
        }
        guard now >= nextPing else { return .sleep(until: nextPing) }
        deadline = now.advanced(by: timeout)
        nextPing = now.advanced(by: interval)
        return .ping
    }
}
