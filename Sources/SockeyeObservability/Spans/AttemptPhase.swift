import Sockeye
package import SockeyeEngine

/// A phase of an exchange. Its start and end are durations from the start of the call.
package struct AttemptPhase: Sendable {
    /// The name of the phase's span.
    package let name: String
    package let start: Duration
    package let end: Duration
    /// The error with which the exchange failed in this phase; nil if the phase did not fail.
    package var error: SockeyeError?

    package static func all(of exchange: CallMetrics.Exchange) -> [AttemptPhase] {
        var phases = beforeRequest(exchange)
        func add(_ name: String, from start: Duration?, to end: Duration?) {
            guard let start, let end, end >= start else { return }
            phases.append(AttemptPhase(name: name, start: start, end: end))
        }
        // If the response arrives while the request is still being sent, "send" and "receive" overlap.
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

    /// Returns the phases before the request is sent. The metrics contain the durations of the dial (name resolution,
    /// connect, TLS handshake), but not its start. So the phases are placed one after the other: first the wait in the
    /// pool, then the steps of the dial, which end at the latest when the request gets the connection.
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
            // A dial that was started for another request may have begun before this request. The dial's steps can
            // then take longer than this request waited. So each step ends at the latest when this request got the
            // connection.
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
