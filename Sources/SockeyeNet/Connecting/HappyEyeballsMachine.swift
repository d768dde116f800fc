package import SockeyeCore

/// A state machine for Happy Eyeballs version 2 (RFC 8305), which decides when to try which address.
///
/// It makes an unreachable family or address cost a fraction of a second instead of a time-out. The machine does no
/// I/O: each event is a call that returns a ``Step``, and the time is an argument.
///
/// ```
/// addresses ──► (IPv4 only, more expected: wait 50 ms) ──► attempt ──250 ms──► attempt ──250 ms──► …
///                                                            │ fails: the next one at once
///                                                            ▼ succeeds: the others are cancelled
/// ```
///
/// Addresses are tried in the resolver's order (RFC 6724), but the families alternate (RFC 8305 4). The family of the
/// first address comes first. If the addresses arrive query by query, IPv6 comes first, unless its addresses arrive
/// after the ``resolutionDelay``. Once the race is decided, every event is ignored.
///
/// At most ``mostAttempts`` run at a time. Without this limit, a name with many addresses could occupy many sockets. At
/// the limit, the next attempt replaces the oldest attempt as soon as the oldest has run for ``mostAttempts`` times the
/// attempt delay.
package struct HappyEyeballsMachine: Sendable {
    /// The time that IPv4 addresses wait for IPv6 ones that may still arrive (RFC 8305 3).
    package static let resolutionDelay = Duration.milliseconds(50)
    /// The time after which the next attempt starts in parallel (RFC 8305 5).
    package static let defaultAttemptDelay = Duration.milliseconds(250)

    /// The maximum number of attempts that run at a time: as many as in curl 8.16.
    ///
    /// With the default delay, an attempt is replaced after 1.5 s at the earliest. By then the kernel has retransmitted
    /// the attempt's SYN once, after 1 s (RFC 6298 2).
    package static let mostAttempts = 6

    /// An attempt to connect; `id` counts from 0 in the order of starts.
    package struct Attempt: Sendable, Hashable {
        package let id: Int
        package let address: EndpointAddress
    }

    /// The step to take after an event.
    package struct Step: Sendable, Hashable {
        package var start: Attempt?
        /// The id of an attempt that the caller must close, because `start` replaces it. If that attempt connects
        /// before it is closed, the caller reports its success as usual (``attemptSucceeded(_:)``).
        package var giveUp: Int?
        /// The time at which to call ``timePassed(at:)``; replaces earlier times. Nil if no timer is needed.
        package var wakeAt: MonotonicTime?
        package var verdict: Verdict = .undecided
    }

    package enum Verdict: Sendable, Hashable {
        case undecided
        /// The attempt `id` won; the caller closes the attempts in `cancel`.
        case won(id: Int, cancel: [Int])
        /// Every address failed, or the list was empty.
        case failed
    }

    private let attemptDelay: Duration
    private var queue = AddressQueue()
    /// The start times of the running attempts, by their ids.
    private var running: [Int: MonotonicTime] = [:]
    /// The attempts that were replaced and have not ended yet.
    private var givenUp: Set<Int> = []
    private var started = 0
    private var isResolved = false
    private var isDecided = false
    /// The end of the resolution delay; nil if the delay has not begun.
    private var resolutionDelayEnds: MonotonicTime?
    /// The earliest time at which the next attempt may start, as long as another attempt is running.
    private var nextStart = MonotonicTime.zero

    package init(attemptDelay: Duration = Self.defaultAttemptDelay) {
        self.attemptDelay = attemptDelay
    }

    /// Starts with the complete list of addresses, as `getaddrinfo` returns it: both families at once.
    package mutating func begin(with addresses: [EndpointAddress], at now: MonotonicTime) -> Step {
        queue.append(addresses)
        isResolved = true
        return proceed(at: now)
    }

    /// Adds the addresses of one query; the addresses of further queries may follow until ``resolutionEnded(at:)``.
    package mutating func addressesArrived(_ addresses: [EndpointAddress], at now: MonotonicTime) -> Step {
        queue.append(addresses)
        if started == 0, !isResolved, !queue.isEmpty {
            // IPv6 is preferred: if only IPv4 addresses have arrived, they wait for the resolution delay.
            if queue.isIPv4Only {
                resolutionDelayEnds = resolutionDelayEnds ?? now.advanced(by: Self.resolutionDelay)
            } else {
                queue.putIPv6First()
            }
        }
        return proceed(at: now)
    }

    /// Reports that no more addresses will arrive.
    package mutating func resolutionEnded(at now: MonotonicTime) -> Step {
        isResolved = true
        return proceed(at: now)
    }

    package mutating func attemptFailed(_ id: Int, at now: MonotonicTime) -> Step {
        guard running.removeValue(forKey: id) != nil else {
            givenUp.remove(id)
            return proceed(at: now)
        }
        nextStart = now
        return proceed(at: now)
    }

    package mutating func attemptSucceeded(_ id: Int) -> Step {
        guard !isDecided, running.removeValue(forKey: id) != nil || givenUp.remove(id) != nil else { return Step() }
        isDecided = true
        return Step(verdict: .won(id: id, cancel: running.keys.sorted()))
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
        // The attempt delay applies only while another attempt is running.
        guard now >= nextStart || running.isEmpty else { return Step(wakeAt: nextStart) }
        let replaced = running.count < Self.mostAttempts ? nil : running.min { $0.key < $1.key }
        if let replaced {
            let end = replaced.value.advanced(by: attemptDelay * Self.mostAttempts)
            guard now >= end else { return Step(wakeAt: end) }
        }
        guard let address = queue.popFirst() else { return Step() }
        if let replaced {
            running[replaced.key] = nil
            givenUp.insert(replaced.key)
        }
        let attempt = Attempt(id: started, address: address)
        started += 1
        running[attempt.id] = now
        nextStart = now.advanced(by: attemptDelay)
        return Step(start: attempt, giveUp: replaced?.key, wakeAt: queue.isEmpty ? nil : nextStart)
    }
}

/// Untried addresses: in the given order within a family, with the families alternating (RFC 8305 4).
struct AddressQueue: Sendable {
    private var ipv6: ArraySlice<EndpointAddress> = []
    private var others: ArraySlice<EndpointAddress> = []
    /// True if an IPv6 address should come next; nil before the first address is added. Ignored if only one family is
    /// left.
    private var isIPv6Next: Bool?

    var isEmpty: Bool { ipv6.isEmpty && others.isEmpty }
    var isIPv4Only: Bool { ipv6.isEmpty && others.allSatisfy { $0.family == .ipv4 } }

    mutating func append(_ addresses: [EndpointAddress]) {
        for address in addresses {
            if isIPv6Next == nil { isIPv6Next = address.family == .ipv6 }
            if address.family == .ipv6 { ipv6.append(address) } else { others.append(address) }
        }
    }

    /// Makes an IPv6 address the next one. The order in which the answers of several DNS queries arrive says nothing
    /// about preference.
    mutating func putIPv6First() {
        isIPv6Next = true
    }

    mutating func popFirst() -> EndpointAddress? {
        let takesIPv6 = others.isEmpty || isIPv6Next == true && !ipv6.isEmpty
        isIPv6Next = !takesIPv6
        return takesIPv6 ? ipv6.popFirst() : others.popFirst()
    }
}
