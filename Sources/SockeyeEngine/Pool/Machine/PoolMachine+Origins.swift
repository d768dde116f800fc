extension PoolMachine {
    /// Takes a connection out of the pool.
    mutating func close(_ index: Int, _ reason: PoolCloseReason) -> Closing {
        let origin = connections[index].origin
        let closing = Closing(id: connections.id(at: index), connection: connections.payload(at: index), reason: reason)
        connections.remove(at: index, from: &origins[origin])
        counters.closed[reason] += 1
        return closing
    }

    /// As `close`, for an idle connection. Nobody waits for its place, or it would not have been left idle.
    mutating func closeIdle(_ index: Int, _ reason: PoolCloseReason) -> Closing {
        let origin = connections[index].origin
        let closing = close(index, reason)
        origins.removeIfUnused(origin)
        return closing
    }

    /// After a place of `origin` got free: the dial for the longest waiter among those it helps.
    mutating func fillFreedPlace(of origin: Int) -> Dial? {
        updateStarvation(of: origin)
        defer { origins.removeIfUnused(origin) }
        guard let longest = starved.first, openCount < capacity else { return nil }
        return startDial(at: longest.origin)
    }

    /// Enters the origin among the starved, or takes it out, after its queue or its connections changed.
    mutating func updateStarvation(of origin: Int) {
        let record = origins[origin]
        guard let waiter = record.firstUncovered, record.connections < limits.perOrigin else {
            return starved.update(origin, sequence: nil)
        }
        starved.update(origin, sequence: waiters[waiter].sequence)
    }

    mutating func startDial(at origin: Int) -> Dial {
        let id = dials.insert(origin)
        origins[origin].dialling += 1
        waiters.coverByDials(in: &origins[origin])
        updateStarvation(of: origin)
        return Dial(id: id, key: origins.key(at: origin))
    }

    /// Takes a waiter out of its queue, served or not.
    mutating func dequeue(_ waiter: Int, of origin: Int) {
        waiters.remove(at: waiter, from: &origins[origin])
        updateStarvation(of: origin)
    }

    /// Makes a leased connection the lease of a waiter.
    mutating func serve(_ waiter: Int, of origin: Int, with index: Int) -> (WaiterID, Lease) {
        let id = waiters.id(at: waiter)
        dequeue(waiter, of: origin)
        return (id, lend(index))
    }

    /// Counts one more use of a connection that is leased already.
    mutating func lend(_ index: Int) -> Lease {
        connections[index].uses += 1
        let lease = describe(index)
        if lease.isReused { counters.reused += 1 }
        return lease
    }

    func describe(_ index: Int) -> Lease {
        Lease(
            id: connections.id(at: index), connection: connections.payload(at: index),
            isReused: connections[index].isReused, use: connections[index].uses)
    }
}
