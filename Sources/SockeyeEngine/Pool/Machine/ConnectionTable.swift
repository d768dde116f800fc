import SockeyeCore

/// Every open connection of the pool, the idle ones in order of use: per origin and over all origins.
struct ConnectionTable<Connection: Sendable>: Sendable {
    private var connections = SlotMap<PooledConnection, ConnectionKind>()
    private var payloads = SlotParallelArray<Connection>()
    private var originLinks = IntrusiveListLinks()
    private var overallLinks = IntrusiveListLinks()
    private var overall = IntrusiveList()

    private(set) var idleCount = 0

    var count: Int { connections.count }
    var leasedCount: Int { connections.count - idleCount }

    /// The idle connection that has not been used for the longest time, of whatever origin.
    var leastRecentlyUsed: Int? { overall.first }

    func moreRecentlyUsed(than index: Int) -> Int? { overallLinks.next(after: index) }

    var indices: [Int] { connections.indices }

    subscript(index: Int) -> PooledConnection {
        get { connections[index] }
        _modify { yield &connections[index] }
    }

    func payload(at index: Int) -> Connection { payloads[index] }

    func index(of id: ConnectionID) -> Int? { connections.index(of: id) }
    func id(at index: Int) -> ConnectionID { connections.id(at: index) }

    /// Enters a new connection as leased; `lend` or `keep` follows.
    mutating func insert(
        _ payload: Connection, as connection: PooledConnection, into record: inout OriginRecord
    ) -> Int {
        record.leased += 1
        let index = Int(connections.insert(connection).slot)
        payloads.insert(payload, at: index)
        return index
    }

    /// Leased to idle: the next to be lent of its origin.
    mutating func keep(at index: Int, until deadline: MonotonicTime, in record: inout OriginRecord) {
        connections[index].state = .idle
        connections[index].idleDeadline = deadline
        connections[index].isReused = true
        originLinks.append(index, to: &record.idle)
        overallLinks.append(index, to: &overall)
        record.leased -= 1
        record.idleCount += 1
        idleCount += 1
    }

    /// Idle to leased.
    mutating func take(at index: Int, from record: inout OriginRecord) {
        unlink(index, from: &record)
        connections[index].state = .leased
        record.leased += 1
    }

    mutating func remove(at index: Int, from record: inout OriginRecord) {
        switch connections[index].state {
        case .idle: unlink(index, from: &record)
        case .leased: record.leased -= 1
        }
        connections.remove(at: index)
        payloads.remove(at: index, isLast: connections.isEmpty)
    }

    private mutating func unlink(_ index: Int, from record: inout OriginRecord) {
        originLinks.remove(index, from: &record.idle)
        overallLinks.remove(index, from: &overall)
        record.idleCount -= 1
        idleCount -= 1
    }
}

/// The record of a pooled connection: what decides whether it may be used again.
struct PooledConnection {
    enum State {
        case leased
        case idle
    }

    let origin: Int
    /// When the connection is too old to be lent again.
    let ageDeadline: MonotonicTime
    var state = State.leased
    /// How often it was lent.
    var uses = 0
    /// While idle: when it may no longer be lent; the earliest of idle time-out, server's hint and age.
    var idleDeadline = MonotonicTime.distantFuture
    /// When it was given back last, or made: a connection that lies idle has done so since then.
    var lastUse = MonotonicTime.zero
    /// It lay idle or carried an exchange before, so the server may have closed it unnoticed.
    var isReused = false
}
