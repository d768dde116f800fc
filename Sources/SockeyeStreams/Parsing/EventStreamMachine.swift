import SockeyeCore
import SockeyeHTTP

extension ServerSentEvent {
    /// The reconnection rules of an event stream: when and how often (HTML Standard, 9.2.3).
    ///
    /// The pause before each reconnection is the reconnection time, which the server can set with `retry`, plus
    /// ``backoff``, which grows while connections receive nothing.
    public struct Reconnection: Sendable, Hashable {
        /// The reconnection time until the server sets one. Default 3 s, as in Chromium.
        public var pause: Duration = .seconds(3)
        /// The additional pause. It is random, so that clients that lost their connections together do not reconnect
        /// together. It grows with each consecutive connection that received no byte of the stream. Default: from 0 to
        /// 0.5 s at first; the upper bound then doubles up to 30 s.
        public var backoff: RetryBackoff = .exponential()
        /// The maximum reconnection time. Larger values, of the server or of ``pause``, are capped. Default 1 h.
        public var longestPause: Duration = .seconds(3600)
        /// The maximum number of consecutive attempts without a response; then the last error is thrown. Default 10.
        public var attempts = 10

        /// Creates the default rules.
        public init() {}
    }
}

/// The reconnection decisions of one event stream, without I/O: which response opens it, and what follows when it is
/// interrupted.
///
/// ```
/// connecting ──► open ──► waiting ──► connecting ──► … ──► over
///     │                      ▲                              ▲
///     ├─ failed reconnection ┘                              │
///     └─ 204, or any refusal ───────────────────────────────┘
/// ```
///
/// The first connection is an ordinary call: its errors go to the caller. Once a response has opened the stream, the
/// client reconnects after a loss if the cause may be temporary.
package struct EventStreamMachine: Sendable {
    /// The rules; nil if lost connections are not replaced.
    private let rules: ServerSentEvent.Reconnection?
    /// The reconnection time that the server set last.
    private var retry: Duration?
    /// The last event ID, which the next request sends.
    package private(set) var lastEventID: String
    /// True if a response has opened the stream, now or earlier.
    package private(set) var hasOpened = false
    /// The number of consecutive attempts that did not open the stream.
    private var failures = 0
    /// The number of lost connections and failed attempts since a part of the stream was last received.
    private var attemptsWithoutData = 0

    package init(_ rules: ServerSentEvent.Reconnection?, lastEventID: String = "") {
        self.rules = rules
        self.lastEventID = lastEventID
    }

    /// The action for a response.
    package enum Answer: Sendable, Equatable {
        /// Read the response: it is the stream.
        case open
        /// The server has no more events: end without an error, and do not reconnect.
        case end
        /// Report an error and do not reconnect.
        case refuse
    }

    /// Decides on a response, after redirects and challenges were handled.
    package mutating func answered(status: Int, isEventStream: Bool) -> Answer {
        if status == 204 { return .end }
        guard status == 200, isEventStream else { return .refuse }
        hasOpened = true
        failures = 0
        return .open
    }

    /// Reports that a part of the stream was received.
    package mutating func received(lastEventID: String, retry: Duration?) {
        self.lastEventID = lastEventID
        if let retry { self.retry = retry }
        attemptsWithoutData = 0
    }

    /// The end of a connection, or of a failed attempt to connect.
    package enum ConnectionEnd: Sendable, Equatable {
        /// The response ended in an orderly way.
        case ended
        /// The response was interrupted, or the attempt failed.
        case failed(isTransient: Bool)
    }

    /// The action after a connection was lost.
    package enum NextStep: Sendable, Equatable {
        /// Connect again, after a pause.
        case reconnect(after: Duration)
        /// End the stream without an error.
        case end
        /// End the stream with the error of the lost connection.
        case fail
    }

    /// Decides what follows when a connection was lost, or could not be made.
    ///
    /// - Parameters:
    ///   - isOpen: True if the connection had opened the stream; false for a failed attempt.
    ///   - random: A random number from 0 up to but excluding 1.
    package mutating func lost(_ loss: ConnectionEnd, isOpen: Bool, random: Double) -> NextStep {
        guard let rules, hasOpened else { return loss == .ended ? .end : .fail }
        if loss == .failed(isTransient: false) { return .fail }
        attemptsWithoutData += 1
        if !isOpen { failures += 1 }
        guard failures < rules.attempts else { return loss == .ended ? .end : .fail }
        let asked = max(.zero, min(retry ?? rules.pause, rules.longestPause))
        return .reconnect(
            after: asked.addingSaturated(rules.backoff.pause(before: attemptsWithoutData, random: random)))
    }

    /// The value of Last-Event-ID for the next connection; nil if there is no ID, or if the ID contains control
    /// characters that a field value must not contain (RFC 9110 5.5).
    package var lastEventIDField: String? {
        let isSendable = lastEventID.utf8.allSatisfy { !ByteClass.isControl($0) || $0 == ByteClass.horizontalTab }
        return lastEventID.isEmpty || !isSendable ? nil : lastEventID
    }
}
