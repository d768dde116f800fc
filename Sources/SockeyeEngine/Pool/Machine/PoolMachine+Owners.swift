import SockeyeCore

/// The state of an owner, a client that uses the pool, after its shutdown began.
struct OwnerEnding {
    enum Phase {
        /// Waiters are still served.
        case draining
        case closed
    }

    var phase: Phase
    /// The number of the owner's keys for which the pool has a record.
    var origins: Int
}

/// The shutdown and the removal of single clients that share a pool.
extension PoolMachine {
    /// Refuses new requests of an owner. Closes its idle connections, and later those that become idle.
    ///
    /// - Parameters:
    ///   - graceful: If true, running exchanges finish and queued requests are still served. If false, these exchanges
    ///     and requests end now, and connections that are released or opened afterwards are closed. A later call can
    ///     shorten a graceful shutdown but not undo it.
    mutating func shutdown(_ owner: Key.Owner, graceful: Bool) -> ShutdownDecision {
        guard endings[owner]?.phase != .closed else { return ShutdownDecision() }
        let held = origins.all.count { origins.key(at: $0).owner == owner }
        endings[owner] = OwnerEnding(phase: graceful ? .draining : .closed, origins: held)
        var decision = ShutdownDecision(closing: closeIdle(.shutDown) { $0.owner == owner })
        guard !graceful else { return decision }
        for id in waiters.all {
            guard let waiter = waiters.index(of: id) else { continue }
            let origin = waiters[waiter].origin
            guard origins.key(at: origin).owner == owner else { continue }
            decision.waiters.append(id)
            dequeue(waiter, of: origin)
            removeOriginIfUnused(origin)
        }
        decision.leased = connections.indices.filter { isOwned(connections[$0].origin, by: owner) }.map { describe($0) }
        return decision
    }

    /// Retires the connections of an owner that makes no more requests: idle ones close now, the others after their
    /// exchange (``retire(where:)``). Forgets the owner's shutdown.
    ///
    /// - Precondition: No request of the owner waits.
    mutating func remove(_ owner: Key.Owner) -> [Closing] {
        endings[owner] = nil
        return retire { $0.owner == owner }
    }

    /// Retires the connections of the matching keys, and records those that are still in use or being opened.
    ///
    /// - Returns: The idle connections, to be closed, and the number of this drain for ``hasEnded(_:)``. The number is
    ///   nil if nothing was recorded.
    mutating func drain(where matches: (Key) -> Bool) -> (closing: [Closing], drain: Int?) {
        let closing = retire(where: matches)
        let leased = connections.indices.filter { matches(origins.key(at: connections[$0].origin)) }
        let dialling = dials.indices.filter { matches(origins.key(at: dials[$0].origin)) }
        let drain = drains.begin(leased.map { connections.id(at: $0) }, dialling.map { dials.id(at: $0) })
        return (closing, drain)
    }

    mutating func forgetDrain(_ number: Int) { drains.forget(number) }

    /// True if the awaited event has happened.
    func hasEnded(_ end: PoolEnd<Key.Owner>) -> Bool {
        switch end {
        case .owner(let owner): endings[owner]?.origins ?? 0 == 0 || !hasRequests(of: owner)
        case .drain(let number): drains.isOver(number)
        }
    }

    /// True if a request of the owner has a connection or waits for one.
    ///
    /// Takes O(origins of the pool) at worst; the search ends at the first such request.
    private func hasRequests(of owner: Key.Owner) -> Bool {
        origins.all.contains { index in
            let record = origins[index]
            return (record.leased > 0 || record.waiting > 0) && isOwned(index, by: owner)
        }
    }

    /// True if a request of the key's owner is accepted.
    ///
    /// - Parameter fresh: See `lease`. True if the request repeats one that met a stale connection. Such a repetition
    ///   is accepted even during a graceful shutdown, because the pool accepted the request before.
    @inline(never)
    func isAccepted(_ key: Key, fresh: Bool) -> Bool {
        switch endings[key.owner]?.phase {
        case nil: true
        case .draining: fresh
        case .closed: false
        }
    }

    @inline(never)
    func isEnding(_ origin: Int) -> Bool { endings[origins.key(at: origin).owner] != nil }

    private func isOwned(_ origin: Int, by owner: Key.Owner) -> Bool { origins.key(at: origin).owner == owner }

    // MARK: Records of origins

    /// Returns the index of the key's record, which is created if it does not exist.
    mutating func insertOrigin(_ key: Key) -> Int {
        if !endings.isEmpty, origins.index(of: key) == nil { endings[key.owner]?.origins += 1 }
        return origins.insert(key)
    }

    mutating func removeOriginIfUnused(_ origin: Int) {
        if !endings.isEmpty, origins[origin].isUnused { endings[origins.key(at: origin).owner]?.origins -= 1 }
        origins.removeIfUnused(origin)
    }
}

/// An event that a caller can wait for.
enum PoolEnd<Owner: Hashable & Sendable>: Sendable {
    /// An owner that was shut down has no requests left: none with a connection, and none that waits for one. Dials
    /// without a waiter do not count: their connections are closed as soon as they are open.
    case owner(Owner)
    /// The connections of the drain with this number are closed.
    case drain(Int)
}
