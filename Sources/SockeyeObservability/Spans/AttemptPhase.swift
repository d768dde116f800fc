import Sockeye
package import SockeyeEngine

/// What an exchange spent its time on, one after the other. The points in time are of its metrics.
package struct AttemptPhase: Sendable {
    /// The name of its span.
    package let name: String
    package let start: Duration
    package let end: Duration
    /// Why the exchange failed in it.
    package var error: SockeyeError?

    /// The phases that an exchange went through.
    package static func all(of exchange: CallMetrics.Exchange) -> [AttemptPhase] {
        var phases = beforeRequest(exchange)
        func add(_ name: String, from start: Duration?, to end: Duration?) {
            guard let start, let end, end >= start else { return }
            phases.append(AttemptPhase(name: name, start: start, end: end))
        }
        // What is still sent under an answer overlaps with the receiving of it.
        add("send", from: exchange.connected, to: exchange.sent)
        add("wait", from: exchange.sent, to: exchange.headReceived)
        add("receive", from: exchange.headReceived, to: exchange.end)
        guard let error = exchange.error, let end = exchange.end else { return phases }
        if exchange.headReceived != nil {
            phases[phases.count - 1].error = error
        } else {
            let start = exchange.sent ?? exchange.connected ?? exchange.start
            phases.append(AttemptPhase(name: name(of: error.phase), start: start, end: end, error: error))
        }
        return phases
    }

    /// A dial is placed right before the connection was there, and the waiting before that.
    private static func beforeRequest(_ exchange: CallMetrics.Exchange) -> [AttemptPhase] {
        guard let connected = exchange.connected, let waiting = exchange.waiting else { return [] }
        var end = exchange.start + waiting
        var phases = [AttemptPhase(name: "pool wait", start: exchange.start, end: end)]
        guard let connection = exchange.connection, !connection.isReused else { return phases }
        let steps: [(String, Duration?)] = [
            ("DNS lookup", connection.resolving), ("connect", connection.connecting),
            ("TLS handshake", connection.handshaking),
        ]
        for case (let name, let time?) in steps {
            // A dial that had begun before, for another request, would not fit.
            let next = min(end + time, connected)
            phases.append(AttemptPhase(name: name, start: end, end: next))
            end = next
        }
        return phases
    }

    private static func name(of phase: SockeyeError.Phase) -> String {
        switch phase {
        case .prepare, .pool: "pool wait"
        case .resolve: "DNS lookup"
        case .connect: "connect"
        case .tls: "TLS handshake"
        case .send: "send"
        case .head: "wait"
        case .body, .decode: "receive"
        }
    }
}
