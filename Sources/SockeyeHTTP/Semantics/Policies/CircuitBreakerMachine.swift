package import SockeyeCore

/// Circuit breakers by origin. A circuit opens after several consecutive failures. After a while it is half-open: a
/// single request probes the origin. Without a clock: the caller passes the time.
package struct CircuitBreakerMachine: Sendable {
    /// The conditions for opening a circuit, and the duration.
    package struct Rules: Sendable {
        /// The number of consecutive failures that opens a circuit, from 1 to 1000.
        package let threshold: Int
        /// The time within which these failures must occur.
        package let window: Duration
        /// The time for which the circuit then stays open.
        package let coolDown: Duration

        package init(threshold: Int, window: Duration, coolDown: Duration) {
            self.threshold = min(max(1, threshold), 1000)
            self.window = max(.zero, window)
            self.coolDown = max(.zero, coolDown)
        }
    }

    package let rules: Rules
    /// The circuits of origins with recent failures.
    private var circuits: LRUCache<HTTPURL.Origin, Circuit>

    package init(_ rules: Rules, capacity: Int = 512) {
        self.rules = rules
        circuits = LRUCache(capacity: capacity)
    }

    /// True if no origin has failed recently, so that all requests are admitted.
    package var isClear: Bool { circuits.isEmpty }

    /// Returns the time at which a request may be sent to an origin; nil if at once. If it is nil, the caller must
    /// report the result of the request.
    package mutating func admit(_ origin: HTTPURL.Origin, at now: MonotonicTime) -> MonotonicTime? {
        circuits.use(origin) { [rules] in $0.admit(rules, at: now) } ?? nil
    }

    /// Returns true if a request would have to wait at `time`. Does not admit one.
    package func isOpen(_ origin: HTTPURL.Origin, at time: MonotonicTime) -> Bool {
        guard var circuit = circuits.peek(origin) else { return false }
        return circuit.admit(rules, at: time) != nil
    }

    /// Reports that a request succeeded, which closes the circuit. An open circuit stays open: only the probe can close
    /// it.
    package mutating func succeed(_ origin: HTTPURL.Origin) {
        guard let isOpen = circuits.use(origin, { if case .open = $0 { true } else { false } }), !isOpen else {
            return
        }
        circuits.remove(origin)
    }

    /// Reports that a request failed.
    package mutating func fail(_ origin: HTTPURL.Origin, at now: MonotonicTime) {
        if circuits.use(origin, { [rules] in $0.fail(rules, at: now) }) != nil { return }
        var circuit = Circuit.closed(failures: [])
        circuit.fail(rules, at: now)
        circuits.insert(circuit, for: origin)
    }

    /// Reports that a request ended with a result that says nothing about the origin.
    package mutating func abandon(_ origin: HTTPURL.Origin, at now: MonotonicTime) {
        circuits.use(origin) { $0.abandon(at: now) }
    }

    /// The origins with circuits that are not closed.
    package var openOrigins: [HTTPURL.Origin] {
        circuits.entries.compactMap { origin, circuit in
            if case .closed = circuit { nil } else { origin }
        }
    }

    /// The number of remembered origins.
    var count: Int { circuits.count }
}

/// The circuit breaker of one origin.
enum Circuit: Sendable {
    /// Requests are admitted. `failures` are the times of the consecutive failures.
    case closed(failures: [MonotonicTime])
    /// No request is admitted until this time.
    case open(until: MonotonicTime)
    /// Half-open: one request is in progress as the probe. If the probe has not reported by this time, another one is
    /// admitted.
    case probing(until: MonotonicTime)

    /// Returns the time at which a request may be sent; nil if at once, in which case the request may be the probe.
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
        // Requests that were in progress when the circuit opened tell nothing new.
        case .open: break
        }
    }

    /// Reports that the probe ended without a usable result: the next request may be the probe.
    mutating func abandon(at now: MonotonicTime) {
        if case .probing = self { self = .open(until: now) }
    }
}
