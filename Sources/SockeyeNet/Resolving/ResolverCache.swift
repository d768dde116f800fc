import SockeyeCore

/// The entries of a ``CachingResolver``. A value without I/O; the time is an argument.
///
/// States of a name: unknown → `lookUp` → in flight → `finish` → known for a while (addresses or their absence) →
/// unknown. A time to live of zero makes the name unknown at once. So does an error other than
/// ``ResolveError/notFound`` and ``ResolveError/noData`` if the name has no stale addresses.
///
/// Expired addresses are kept for ten minutes as stale ones (RFC 8767). Callers get them if a refresh takes longer than
/// ``refreshWait``, or fails with an error other than ``ResolveError/notFound`` and ``ResolveError/noData``.
struct ResolverCache {
    struct Key: Hashable {
        let host: String
        let port: Int
    }

    enum Answer {
        case addresses([EndpointAddress])
        /// The name has no addresses.
        case absent(ResolveError)
        /// Wait for a look-up in flight.
        case join(Wait)
        /// Begin a look-up. `insteadOf` is a previous look-up that has taken too long.
        case start(Wait, LookUpStart, insteadOf: LookUp?)
    }

    /// The wait of one caller for a look-up; ended by ``leave(_:_:at:)``.
    struct Wait {
        let lookUp: LookUp
        /// The time at which to stop waiting and take stale addresses; nil if there are no stale addresses.
        let staleTime: MonotonicTime?
    }

    private struct Known {
        let addresses: [EndpointAddress]
        var until: MonotonicTime
        /// The time from which the addresses are too old even as stale ones.
        let staleUntil: MonotonicTime
        /// The number of the next connection. In each address family, a rotated order starts with the address at this
        /// index, modulo the number of addresses of the family.
        var turn = 0
    }

    private struct InFlight {
        let lookUp: LookUp
        let start: LookUpStart
        let since: MonotonicTime
        var callers = 1
        /// The expired addresses that this look-up is to replace.
        var stale: Known?

        func wait(at now: MonotonicTime) -> Wait {
            let isUsable = stale.map { now < $0.staleUntil } ?? false
            return Wait(lookUp: lookUp, staleTime: isUsable ? since.advanced(by: ResolverCache.refreshWait) : nil)
        }
    }

    private enum Entry {
        case inFlight(InFlight)
        case known(Known)
        case absent(ResolveError, until: MonotonicTime)

        /// The time at which the entry expires; nil for a look-up in flight, which is not evicted.
        var expiry: MonotonicTime? {
            switch self {
            case .inFlight: nil
            case .known(let known): known.until
            case .absent(_, let until): until
            }
        }
    }

    /// The time after which a look-up is replaced: a resolver that never answers must not block a name indefinitely.
    static let longestLookUp = Duration.seconds(30)
    /// The time that callers wait for a refresh before they take stale addresses (the client response timer of RFC 8767
    /// 5).
    static let refreshWait = Duration.milliseconds(1_800)
    /// The time after a failed or withdrawn refresh in which callers get stale addresses at once, without another
    /// refresh. A refresh is withdrawn if its last caller leaves before it has begun.
    static let refreshPause = Duration.seconds(5)
    /// The time after expiry for which addresses stay usable. It equals the default maximum lifetime of a connection.
    static let longestStaleness = Duration.seconds(600)

    private let configuration: CachingResolver.Configuration
    private var entries: [Key: Entry] = [:]
    /// The look-ups in flight whose entries ``forgetAll()`` has removed and that still have callers.
    private var forgotten: [ObjectIdentifier: InFlight] = [:]
    /// The time of the next search for hung look-ups without callers.
    private var nextSweep = MonotonicTime.zero

    init(_ configuration: CachingResolver.Configuration) {
        self.configuration = configuration
    }

    var count: Int { entries.count + forgotten.count }

    // MARK: Callers

    mutating func lookUp(_ key: Key, at now: MonotonicTime) -> Answer {
        switch entries[key] {
        case .known(let known) where now < known.until:
            if configuration.order == .asResolved { return .addresses(known.addresses) }
            return .addresses(take(known, for: key))
        case .absent(let error, let until) where now < until:
            return .absent(error)
        case .inFlight(var inFlight) where now < inFlight.since.advanced(by: Self.longestLookUp):
            let wait = inFlight.wait(at: now)
            if let time = wait.staleTime, time <= now, let stale = stale(for: key, at: now) { return .addresses(stale) }
            inFlight.callers += 1
            inFlight.start.hasNoCallers = false
            entries[key] = .inFlight(inFlight)
            return .join(wait)
        case let old:
            if old == nil { makeRoom(at: now) }
            var inFlight = InFlight(lookUp: LookUp(), start: LookUpStart(), since: now)
            var hung: LookUp?
            switch old {
            case .known(let known): inFlight.stale = known
            case .inFlight(let previous): (hung, inFlight.stale) = (previous.lookUp, previous.stale)
            case .absent, nil: break
            }
            entries[key] = .inFlight(inFlight)
            return .start(inFlight.wait(at: now), inFlight.start, insteadOf: hung)
        }
    }

    /// Ends the wait of a caller. If this was the last caller, returns the look-up for cancellation, unless the look-up
    /// continues without callers. A look-up continues if it has begun (``LookUpStart``) and was not forgotten.
    mutating func leave(_ key: Key, _ lookUp: LookUp, at now: MonotonicTime) -> LookUp? {
        guard case .inFlight(var inFlight) = entries[key], inFlight.lookUp === lookUp else {
            return leaveForgotten(lookUp)
        }
        inFlight.callers -= 1
        entries[key] = .inFlight(inFlight)
        guard inFlight.callers == 0 else { return nil }
        inFlight.start.hasNoCallers = true
        guard inFlight.start.withdraw() else { return nil }
        entries[key] = restored(inFlight.stale, at: now)
        return lookUp
    }

    /// Does the same as ``leave(_:_:at:)`` for a look-up that was forgotten. Its result can serve no later caller, so
    /// the look-up is returned even if it has begun.
    private mutating func leaveForgotten(_ lookUp: LookUp) -> LookUp? {
        let id = ObjectIdentifier(lookUp)
        guard var inFlight = forgotten[id] else { return nil }
        inFlight.callers -= 1
        forgotten[id] = inFlight.callers > 0 ? inFlight : nil
        guard inFlight.callers == 0 else { return nil }
        inFlight.start.hasNoCallers = true
        _ = inFlight.start.withdraw()
        return lookUp
    }

    func callers(of key: Key) -> Int {
        if case .inFlight(let inFlight) = entries[key] { inFlight.callers } else { 0 }
    }

    /// Returns freshly resolved addresses in the order for the next connection.
    mutating func ordered(_ addresses: [EndpointAddress], for key: Key) -> [EndpointAddress] {
        guard configuration.order != .asResolved else { return addresses }
        guard case .known(let known) = entries[key], known.addresses == addresses else {
            return configuration.order.apply(to: addresses, turn: 0)
        }
        return take(known, for: key)
    }

    /// Returns the stale addresses of a name during its refresh, or its known ones after the refresh, in the order for
    /// the next connection. Nil if the name has no such addresses.
    mutating func stale(for key: Key, at now: MonotonicTime) -> [EndpointAddress]? {
        switch entries[key] {
        case .known(let known): return take(known, for: key)
        case .inFlight(var inFlight):
            guard let stale = inFlight.stale, now < stale.staleUntil else { return nil }
            inFlight.stale?.turn &+= 1
            entries[key] = .inFlight(inFlight)
            return configuration.order.apply(to: stale.addresses, turn: stale.turn)
        case .absent, nil: return nil
        }
    }

    private mutating func take(_ known: Known, for key: Key) -> [EndpointAddress] {
        var next = known
        next.turn &+= 1
        entries[key] = .known(next)
        return configuration.order.apply(to: known.addresses, turn: known.turn)
    }

    // MARK: Look-ups

    /// Stores the outcome of a look-up, unless the look-up was forgotten or replaced by another look-up.
    ///
    /// - Parameter timeToLive: The answer's own TTL; nil if unknown.
    /// - Returns: The outcome for the callers: the stale addresses, if they are still usable and the refresh failed
    ///   with an error other than ``ResolveError/notFound`` and ``ResolveError/noData``; otherwise `outcome`.
    mutating func finish(
        _ key: Key, _ lookUp: LookUp, _ outcome: LookUp.Outcome, timeToLive: Duration?, at now: MonotonicTime
    ) -> LookUp.Outcome {
        guard case .inFlight(let inFlight) = entries[key], inFlight.lookUp === lookUp else {
            forgotten[ObjectIdentifier(lookUp)] = nil
            return outcome
        }
        var result = outcome
        switch outcome {
        case .success(let addresses):
            let until = now.advanced(by: min(configuration.timeToLive, timeToLive ?? configuration.timeToLive))
            entries[key] = .known(
                Known(addresses: addresses, until: until, staleUntil: until.advanced(by: Self.longestStaleness)))
        case .failure(let error) where error == .notFound || error == .noData:
            entries[key] = .absent(error, until: now.advanced(by: configuration.negativeTimeToLive))
        case .failure:
            entries[key] = restored(inFlight.stale, at: now)
            // The addresses are not rotated here, because `ordered` rotates them for each caller.
            if case .known(let stale) = entries[key] { result = .success(stale.addresses) }
        }
        let isKept = entries[key]?.expiry.map { now < $0 } ?? false
        if !isKept || entries.count > configuration.maximumEntries { entries[key] = nil }
        return result
    }

    /// Returns the entry of stale addresses after a failed or withdrawn refresh, valid for up to ``refreshPause``. Nil
    /// if there are no stale addresses or they are too old.
    private func restored(_ stale: Known?, at now: MonotonicTime) -> Entry? {
        guard var stale, now < stale.staleUntil else { return nil }
        stale.until = .earlier(stale.staleUntil, now.advanced(by: Self.refreshPause))
        return .known(stale)
    }

    // MARK: Forgetting

    mutating func forget(_ key: Key) {
        if case .inFlight(var inFlight) = entries[key] {
            inFlight.stale = nil
            entries[key] = .inFlight(inFlight)
        } else {
            entries[key] = nil
        }
    }

    /// Removes and returns the look-ups in flight, so that the caller can cancel them.
    mutating func takeLookUps() -> [LookUp] {
        defer { forgotten = [:] }
        return takeLookUps(where: { _ in true }, restoringAt: nil) + forgotten.values.map(\.lookUp)
    }

    /// Removes and returns look-ups in flight.
    ///
    /// - Parameter now: The present time. If the stale addresses of a removed look-up are usable at this time, they
    ///   become the entry of the name again. Nil to drop them.
    private mutating func takeLookUps(
        where isTaken: (InFlight) -> Bool, restoringAt now: MonotonicTime?
    ) -> [LookUp] {
        let taken = entries.compactMap { key, entry in
            if case .inFlight(let inFlight) = entry, isTaken(inFlight) { (key, inFlight) } else { nil }
        }
        for (key, inFlight) in taken { entries[key] = now.flatMap { restored(inFlight.stale, at: $0) } }
        return taken.map(\.1.lookUp)
    }

    /// Removes hung look-ups without callers, and returns them for cancellation. Takes O(entries), at most once per
    /// ``longestLookUp``.
    mutating func takeHungLookUps(at now: MonotonicTime) -> [LookUp] {
        guard nextSweep <= now else { return [] }
        nextSweep = now.advanced(by: Self.longestLookUp)
        return takeLookUps(
            where: { $0.callers == 0 && $0.since.advanced(by: Self.longestLookUp) <= now }, restoringAt: now)
    }

    /// Removes all entries. Callers keep the look-up that they wait for; its result is not stored.
    ///
    /// - Returns: The look-ups without callers, which are to be cancelled.
    mutating func forgetAll() -> [LookUp] {
        defer { entries = [:] }
        var deserted: [LookUp] = []
        for case .inFlight(let inFlight) in entries.values {
            if inFlight.callers > 0 {
                forgotten[ObjectIdentifier(inFlight.lookUp)] = inFlight
            } else {
                deserted.append(inFlight.lookUp)
            }
        }
        return deserted
    }

    /// Makes room for a new entry if the cache is full. Drops expired entries. If the cache is still full, drops the
    /// eighth of the entries that expires first: several at once, because the search takes O(entries). Look-ups in
    /// flight stay.
    private mutating func makeRoom(at now: MonotonicTime) {
        guard entries.count >= configuration.maximumEntries else { return }
        entries = entries.filter { $0.value.expiry.map { now < $0 } ?? true }
        guard entries.count >= configuration.maximumEntries else { return }
        let surplus = max(1, entries.count - configuration.maximumEntries * 7 / 8)
        let evictable = entries.compactMap { key, entry in entry.expiry.map { (key, $0) } }.sorted { $0.1 < $1.1 }
        for (key, _) in evictable.prefix(surplus) { entries[key] = nil }
    }
}
