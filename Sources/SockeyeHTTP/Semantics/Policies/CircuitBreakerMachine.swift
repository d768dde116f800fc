package import SockeyeCore

/// Circuit breakers by origin: one opens after several failures in a row, and is half-open after a while, when a single
/// request probes the origin. Without a clock: time is passed in.
package struct CircuitBreakerMachine: Sendable {
    /// When it opens and for how long.
    package struct Rules: Sendable {
        /// The failures in a row that open a circuit, from 1 to 1000.
        package let threshold: Int
        /// The time within which they have to come.
        package let window: Duration
        /// How long the circuit then stays open.
        package let coolDown: Duration

        package init(threshold: Int, window: Duration, coolDown: Duration) {
            self.threshold = min(max(1, threshold), 1000)
            self.window = max(.zero, window)
            self.coolDown = max(.zero, coolDown)
        }
    }

    package let rules: Rules
    /// Of those origins that failed lately.
    private var circuits: OriginLRU<Circuit>

    package init(_ rules: Rules, capacity: Int = 512) {
        self.rules = rules
        circuits = OriginLRU(capacity: capacity)
    }

    /// Whether every origin may be asked and none has failed lately.
    package var isClear: Bool { circuits.isEmpty }

    /// When a request may go to an origin; nil at once. After nil, the result of the request has to be reported.
    package mutating func admit(_ origin: HTTPURL.Origin, at now: MonotonicTime) -> MonotonicTime? {
        circuits.change(origin) { [rules] in $0.admit(rules, at: now) } ?? nil
    }

    /// Whether a request would be let through at some time, without letting one.
    package func isOpen(_ origin: HTTPURL.Origin, at time: MonotonicTime) -> Bool {
        guard var circuit = circuits.entry(of: origin) else { return false }
        return circuit.admit(rules, at: time) != nil
    }

    /// A request succeeded, which closes the circuit unless it is open: then only the one that finds out does.
    package mutating func succeed(_ origin: HTTPURL.Origin) {
        guard let isOpen = circuits.change(origin, { if case .open = $0 { true } else { false } }), !isOpen else {
            return
        }
        circuits.remove(origin)
    }

    /// A request failed.
    package mutating func fail(_ origin: HTTPURL.Origin, at now: MonotonicTime) {
        if circuits.change(origin, { [rules] in $0.fail(rules, at: now) }) != nil { return }
        var circuit = Circuit.closed(failures: [])
        circuit.fail(rules, at: now)
        circuits.add(origin, circuit)
    }

    /// A request ended in a way that tells nothing of the origin.
    package mutating func abandon(_ origin: HTTPURL.Origin, at now: MonotonicTime) {
        circuits.change(origin) { $0.abandon(at: now) }
    }

    /// The origins whose circuits are not closed.
    package var openOrigins: [HTTPURL.Origin] {
        circuits.entries.compactMap { origin, circuit in
            if case .closed = circuit { nil } else { origin }
        }
    }

    /// How many origins are remembered.
    var count: Int { circuits.count }
}

/// The circuit breaker of one origin.
enum Circuit: Sendable {
    /// Requests go; these are the times of the failures in a row.
    case closed(failures: [MonotonicTime])
    /// No request goes, for a while.
    case open(until: MonotonicTime)
    /// Half-open: one request is under way as the probe. Unless it reports until then, another one may go.
    case probing(until: MonotonicTime)

    /// When a request may go; nil at once, in which case it may be the one that finds out.
    mutating func admit(_ rules: CircuitBreakerMachine.Rules, at now: MonotonicTime) -> MonotonicTime? {
        switch self {
        case .closed: return nil
        case .open(let until), .probing(let until):
            guard now >= until else { return until }
            self = .probing(until: now.advanced(by: rules.coolDown))
            return nil
        }
    }

    mutating func fail(_ rules: CircuitBreakerMachine.Rules, at now: MonotonicTime) {
        switch self {
        case .closed(var failures):
            failures.removeAll { now.since($0) >= rules.window }
            failures.append(now)
            self =
                failures.count >= rules.threshold
                ? .open(until: now.advanced(by: rules.coolDown)) : .closed(failures: failures)
        case .probing: self = .open(until: now.advanced(by: rules.coolDown))
        // What was under way when it opened tells nothing new.
        case .open: break
        }
    }

    /// The one that was to find out ended without an answer: the next one may.
    mutating func abandon(at now: MonotonicTime) {
        if case .probing = self { self = .open(until: now) }
    }
}
