import SockeyeCore

/// Whether one origin is asked at all.
enum Circuit: Sendable {
    /// It is; these are the times of the failures in a row.
    case closed(failures: [MonotonicTime])
    /// It is not, for a while.
    case open(until: MonotonicTime)
    /// One request is under way to find out. Should nothing be heard of it until then, another one may go.
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
