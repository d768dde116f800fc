package import SockeyeCore

/// Happy Eyeballs: decides which address to try when, so that a dead family or address costs a fraction of a second and not a
/// time-out (RFC 8305, Happy Eyeballs version 2). Pure: events in, a ``Step`` out, time is an argument.
///
/// ```
/// addresses ──► (IPv4 only, more expected: wait 50 ms) ──► attempt ──250 ms──► attempt ──250 ms──► …
///                                                            │ fails: the next one at once
///                                                            ▼ succeeds: the others are cancelled
/// ```
///
/// The order is the resolver's (RFC 6724) with the families taken in turns, beginning with that of the first address
/// (RFC 8305 4). States: waiting for addresses → racing → decided; once decided, every event is ignored.
package struct HappyEyeballsMachine: Sendable {
    /// How long IPv4 addresses wait for IPv6 ones that may still come (RFC 8305 3).
    package static let resolutionDelay = Duration.milliseconds(50)
    /// How long an attempt runs before the next one joins it (RFC 8305 5).
    package static let defaultAttemptDelay = Duration.milliseconds(250)

    /// One attempt to connect; `id` counts from 0 in the order of starts.
    package struct Attempt: Sendable, Hashable {
        package let id: Int
        package let address: EndpointAddress
    }

    /// The step to take after an event.
    package struct Step: Sendable, Hashable {
        package var start: Attempt?
        /// When to report ``timePassed(at:)`` next, whatever was said before; nil when time changes nothing.
        package var wakeAt: MonotonicTime?
        package var verdict: Verdict = .undecided
    }

    package enum Verdict: Sendable, Hashable {
        case undecided
        /// This attempt is the connection; those of `cancel` are to be closed.
        case won(id: Int, cancel: [Int])
        /// Every address has failed, or there is none.
        case failed
    }

    private let attemptDelay: Duration
    private var queue = AddressQueue()
    private var running: Set<Int> = []
    private var started = 0
    private var isResolved = false
    private var isDecided = false
    /// The end of the resolution delay; nil when it is not running.
    private var resolutionDelayEnds: MonotonicTime?
    /// When the attempt after the last one may start.
    private var nextStart = MonotonicTime.zero

    package init(attemptDelay: Duration = Self.defaultAttemptDelay) {
        self.attemptDelay = attemptDelay
    }

    /// All addresses are known, as `getaddrinfo` tells them: both families at once.
    package mutating func begin(with addresses: [EndpointAddress], at now: MonotonicTime) -> Step {
        queue.append(addresses)
        isResolved = true
        return proceed(at: now)
    }

    /// Addresses of one query have arrived; others may follow until ``resolutionEnded(at:)``.
    package mutating func addressesArrived(_ addresses: [EndpointAddress], at now: MonotonicTime) -> Step {
        queue.append(addresses)
        if started == 0, !isResolved, !queue.isEmpty {
            // IPv6 is preferred, so IPv4 alone gives it a moment; anything else starts at once.
            if queue.isIPv4Only {
                resolutionDelayEnds = resolutionDelayEnds ?? now.advanced(by: Self.resolutionDelay)
            } else {
                queue.startsWithIPv6()
            }
        }
        return proceed(at: now)
    }

    /// No more addresses will come.
    package mutating func resolutionEnded(at now: MonotonicTime) -> Step {
        isResolved = true
        return proceed(at: now)
    }

    package mutating func attemptFailed(_ id: Int, at now: MonotonicTime) -> Step {
        guard running.remove(id) != nil else { return proceed(at: now) }
        nextStart = now
        return proceed(at: now)
    }

    package mutating func attemptSucceeded(_ id: Int) -> Step {
        guard !isDecided, running.remove(id) != nil else { return Step() }
        isDecided = true
        return Step(verdict: .won(id: id, cancel: running.sorted()))
    }

    package mutating func timePassed(at now: MonotonicTime) -> Step {
        proceed(at: now)
    }

    private mutating func proceed(at now: MonotonicTime) -> Step {
        guard !isDecided else { return Step() }
        guard !queue.isEmpty else {
            guard isResolved, running.isEmpty else { return Step() }
            isDecided = true
            return Step(verdict: .failed)
        }
        if let end = resolutionDelayEnds, started == 0, queue.isIPv4Only, !isResolved, now < end {
            return Step(wakeAt: end)
        }
        // With nothing under way there is nothing to give a head start to.
        guard now >= nextStart || running.isEmpty, let address = queue.popFirst() else {
            return Step(wakeAt: nextStart)
        }
        let attempt = Attempt(id: started, address: address)
        started += 1
        running.insert(attempt.id)
        nextStart = now.advanced(by: attemptDelay)
        return Step(start: attempt, wakeAt: queue.isEmpty ? nil : nextStart)
    }
}

/// Addresses that wait for their turn: in the given order within a family, the families in turns (RFC 8305 4).
struct AddressQueue: Sendable {
    private var ipv6: ArraySlice<EndpointAddress> = []
    private var others: ArraySlice<EndpointAddress> = []
    /// Whose turn it is.
    private var isIPv6Next: Bool?

    var isEmpty: Bool { ipv6.isEmpty && others.isEmpty }
    var isIPv4Only: Bool { ipv6.isEmpty && others.allSatisfy { $0.family == .ipv4 } }

    mutating func append(_ addresses: [EndpointAddress]) {
        for address in addresses {
            if isIPv6Next == nil { isIPv6Next = address.family == .ipv6 }
            if address.family == .ipv6 { ipv6.append(address) } else { others.append(address) }
        }
    }

    /// Prefers IPv6 where the answers of the two queries came in no order that means anything.
    mutating func startsWithIPv6() {
        isIPv6Next = true
    }

    mutating func popFirst() -> EndpointAddress? {
        let takesIPv6 = others.isEmpty || isIPv6Next == true && !ipv6.isEmpty
        isIPv6Next = !takesIPv6
        return takesIPv6 ? ipv6.popFirst() : others.popFirst()
    }
}
