package import SockeyeCore

/// Circuit breakers, one per origin. A circuit opens after several consecutive failures. After the cool-down it is
/// half-open: a single request probes the origin. The machine has no clock: the caller supplies the current
/// time.
package struct CircuitBreakerMachine: Sendable {
    /// The conditions for opening a circuit, and the time for which it stays open.
    package struct Rules: Sendable {
        /// The number of consecutive failures that opens a circuit, from 1 to 1000.
        package let threshold: Int
        /// The time within which the consecutive failures must occur.
        package let window: Duration
        /// The time for which an opened circuit stays open.
        package let coolDown: Duration

        package init(threshold: Int, window: Duration, coolDown: Duration) {
            self.threshold = min(max(1, threshold), 1000)
            self.window = max(.zero, window)
            self.coolDown = max(.zero, coolDown)
        }
    }

    /// The decision about a request.
    package enum Admission: Sendable, Equatable {
        /// The request may be sent.
        case free
        /// The request may be sent as the probe with this number. Its result must be reported with the number.
        case probe(Int)
        /// No request may be sent before this time, unless the result of the current probe is reported earlier.
        case refused(until: MonotonicTime)
    }

    package let rules: Rules
    /// The number of probes so far, which is also the number of the latest probe.
    private var probes = 0
    /// The circuits of origins that have failed. A success that closes a circuit removes it.
    private var circuits: LRUCache<HTTPURL.Origin, Circuit>

    package init(_ rules: Rules, capacity: Int = 512) {
        self.rules = rules
        circuits = LRUCache(capacity: capacity)
    }

    /// True if no circuit is remembered, so that all requests are admitted.
    package var isClear: Bool { circuits.isEmpty }

    /// Decides whether a request may be sent to an origin. If so, the caller must report the result of the request by
    /// ``succeed(_:probe:)``, ``fail(_:probe:at:)`` or ``abandon(_:probe:at:)``.
    package mutating func admit(_ origin: HTTPURL.Origin, at now: MonotonicTime) -> Admission {
        let next = probes + 1
        let admission = circuits.use(origin) { [rules] in $0.admit(rules, at: now, asProbe: next) } ?? .free
        if case .probe = admission { probes = next }
        return admission
    }

    /// Returns true if a request would be refused at `time`. Does not admit a request.
    package func isOpen(_ origin: HTTPURL.Origin, at time: MonotonicTime) -> Bool {
        guard var circuit = circuits.peek(origin) else { return false }
        if case .refused = circuit.admit(rules, at: time, asProbe: probes + 1) { return true }
        return false
    }

    /// Reports that a request succeeded. The failures of a closed circuit are forgotten. A half-open circuit closes if
    /// the request is its current probe. An open circuit stays open.
    ///
    /// - Parameter probe: The number of the probe; nil if the request was not a probe.
    package mutating func succeed(_ origin: HTTPURL.Origin, probe: Int? = nil) {
        guard circuits.use(origin, { $0.isClosed(bySuccessOf: probe) }) == true else { return }
        circuits.remove(origin)
    }

    /// Reports that a request failed. For `probe` see ``succeed(_:probe:)``.
    package mutating func fail(_ origin: HTTPURL.Origin, probe: Int? = nil, at now: MonotonicTime) {
        if circuits.use(origin, { [rules] in $0.fail(rules, probe: probe, at: now) }) != nil { return }
        var circuit = Circuit.closed(failures: [])
        circuit.fail(rules, probe: probe, at: now)
        circuits.insert(circuit, for: origin)
    }

    /// Reports that a request ended with a result that says nothing about the origin. For `probe` see
    /// ``succeed(_:probe:)``.
    package mutating func abandon(_ origin: HTTPURL.Origin, probe: Int? = nil, at now: MonotonicTime) {
        circuits.use(origin) { $0.abandon(probe: probe, at: now) }
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
    /// Requests are admitted. `failures` are the times of the consecutive failures within the window.
    case closed(failures: [MonotonicTime])
    /// No request is admitted until this time.
    case open(until: MonotonicTime)
    /// Half-open: the request with this number is in progress as the probe. If its result was not reported by this
    /// time, another probe is admitted.
    case probing(Int, until: MonotonicTime)

    /// Decides whether a request may be sent.
    ///
    /// - Parameter probe: The number for the request if it becomes the probe.
    mutating func admit(
        _ rules: CircuitBreakerMachine.Rules, at now: MonotonicTime, asProbe probe: Int
    ) -> CircuitBreakerMachine.Admission {
        switch self {
        case .closed: return .free
        case .open(let until), .probing(_, let until):
            guard now >= until else { return .refused(until: until) }
            self = .probing(probe, until: now.advanced(by: rules.coolDown))
            return .probe(probe)
        }
    }

    /// Returns true if the circuit is closed already, or if the success of a request closes it.
    func isClosed(bySuccessOf probe: Int?) -> Bool {
        switch self {
        case .closed: true
        case .open: false
        case .probing(let current, _): probe == current
        }
    }

    mutating func fail(_ rules: CircuitBreakerMachine.Rules, probe: Int?, at now: MonotonicTime) {
        switch self {
        case .closed(var failures):
            failures.removeAll { now.since($0) >= rules.window }
            failures.append(now)
            self =
                failures.count >= rules.threshold
                ? .open(until: now.advanced(by: rules.coolDown)) : .closed(failures: failures)
        case .probing(let current, _) where probe == current: self = .open(until: now.advanced(by: rules.coolDown))
        // Requests that were in progress when the circuit opened tell nothing new.
        case .probing, .open: break
        }
    }

    /// If the abandoned request is the current probe, lets the next request become the probe.
    mutating func abandon(probe: Int?, at now: MonotonicTime) {
        if case .probing(let current, _) = self, probe == current { self = .open(until: now) }
    }
}
