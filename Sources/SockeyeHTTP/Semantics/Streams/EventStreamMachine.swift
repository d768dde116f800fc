import SockeyeCore

extension ServerSentEvent {
    /// When and how often a stream of events is connected to again (HTML Standard, 9.2.3).
    ///
    /// The pause before each connection is the reconnection time, which the server sets with `retry`, and then some more: that of
    /// ``backoff``, which grows while connections bring nothing.
    public struct Reconnection: Sendable, Hashable {
        /// The reconnection time until the server sets one. Default 3 s, as browsers have it.
        public var pause: Duration = .seconds(3)
        /// What is added to it: by chance, so that clients which lost their connections together do not come back together, and
        /// more with each connection in a row that brought not a byte of the stream. Default 0 to 0.5 s at first, up to 30 s.
        public var backoff: RetryBackoff = .exponential()
        /// The longest reconnection time that a server may set; what is longer counts as that. Default 1 h.
        public var longestPause: Duration = .seconds(3600)
        /// How many attempts in a row may fail, without a response, before the last error is thrown. Default 10.
        public var attempts = 10

        /// Makes the default rules.
        public init() {}
    }
}

/// The reconnection decisions of one stream of events, without I/O: which response opens it, and what follows when it breaks off.
///
/// ```
/// connecting ─► open ─► waiting ─► connecting ─► … ─► over
///      └──── 204, or any refusal ────────────────────►┘
/// ```
///
/// The first connection is a call like any other, whose errors are the caller's. Once a response has opened the stream, what is
/// lost is connected to again, as long as the cause may be gone the next time.
package struct EventStreamMachine: Sendable {
    /// Nil: what is lost is not connected to again.
    private let rules: ServerSentEvent.Reconnection?
    /// As the server has set it, until it sets another.
    private var retry: Duration?
    /// The last event ID, which the next connection asks with.
    package private(set) var lastEventID: String
    /// Whether a response has opened the stream, now or before.
    package private(set) var hasOpened = false
    /// Attempts in a row that did not open it.
    private var failures = 0
    /// Connections and attempts in a row that brought nothing of it.
    private var fruitless = 0

    package init(_ rules: ServerSentEvent.Reconnection?, lastEventID: String = "") {
        self.rules = rules
        self.lastEventID = lastEventID
    }

    /// What is to be done with a response.
    package enum Answer: Sendable, Equatable {
        /// It is the stream.
        case open
        /// The server has no more events: no error, and no further connection.
        case end
        /// An error, whatever came before: no further connection.
        case refuse
    }

    /// A response came; redirects and challenges are behind it.
    package mutating func answered(status: Int, isEventStream: Bool) -> Answer {
        if status == 204 { return .end }
        guard status == 200, isEventStream else { return .refuse }
        hasOpened = true
        failures = 0
        return .open
    }

    /// Something of the stream came.
    package mutating func received(lastEventID: String, retry: Duration?) {
        self.lastEventID = lastEventID
        if let retry { self.retry = retry }
        fruitless = 0
    }

    /// How a connection, or the attempt at one, has ended.
    package enum Loss: Sendable, Equatable {
        /// The response ended as it should.
        case ended
        /// It broke off, or did not come about.
        case failed(isTransient: Bool)
    }

    /// What follows.
    package enum Sequel: Sendable, Equatable {
        /// Another connection, after a pause.
        case reconnect(after: Duration)
        /// The end of the stream, without an error.
        case end
        /// The end of the stream, with the error of the loss.
        case fail
    }

    /// A connection was lost, or could not be made.
    ///
    /// - Parameter random: From 0 up to 1.
    package mutating func lost(_ loss: Loss, isOpen: Bool, random: Double) -> Sequel {
        guard let rules, hasOpened else { return loss == .ended ? .end : .fail }
        if loss == .failed(isTransient: false) { return .fail }
        fruitless += 1
        if !isOpen { failures += 1 }
        guard failures < rules.attempts else { return loss == .ended ? .end : .fail }
        let asked = max(.zero, min(retry ?? rules.pause, rules.longestPause))
        return .reconnect(after: asked.addingSaturated(rules.backoff.pause(before: fruitless, random: random)))
    }

    /// The value of Last-Event-ID for the next connection; nil: there is none, or one that no field can hold.
    ///
    /// An ID may contain control characters, which a field value may not (RFC 9110 5.5), and which browsers leave out as well.
    package var lastEventIDField: String? {
        let isSendable = lastEventID.utf8.allSatisfy { !ByteClass.isControl($0) || $0 == ByteClass.horizontalTab }
        return lastEventID.isEmpty || !isSendable ? nil : lastEventID
    }
}
