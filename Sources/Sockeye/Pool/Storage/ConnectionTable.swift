import SockeyeCore

/// Every open connection of the pool, the idle ones in order of use: per origin and over all origins.
struct ConnectionTable<Connection: Sendable>: Sendable {
    private var connections = Slab<PooledConnection<Connection>, ConnectionKind>()
    private var originLinks = ListLinks()
    private var overallLinks = ListLinks()
    private var overall = ListEnds()

    private(set) var idleCount = 0

    var count: Int { connections.count }
    var leasedCount: Int { connections.count - idleCount }

    /// The idle connection that has not been used for the longest time, of whatever origin.
    var leastRecentlyUsed: Int? { overall.first }

    func moreRecentlyUsed(than index: Int) -> Int? { overallLinks.next(after: index) }

    var indices: [Int] { connections.indices }

    subscript(index: Int) -> PooledConnection<Connection> {
        get { connections[index] }
        _modify { yield &connections[index] }
    }

    func index(of id: ConnectionID) -> Int? { connections.index(of: id) }
    func id(at index: Int) -> ConnectionID { connections.id(at: index) }

    /// Enters a new connection as leased; whoever gets it, `lend` or `keep` follows.
    mutating func insert<Key: Sendable>(_ connection: PooledConnection<Connection>, into record: inout OriginRecord<Key>) -> Int {
        record.leased += 1
        return Int(connections.insert(connection).slot)
    }

    /// Leased to idle: the next to be lent of its origin.
    mutating func keep<Key: Sendable>(at index: Int, until deadline: MonotonicTime, in record: inout OriginRecord<Key>) {
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
    mutating func take<Key: Sendable>(at index: Int, from record: inout OriginRecord<Key>) {
        unlink(index, from: &record)
        connections[index].state = .leased
        record.leased += 1
    }

    mutating func remove<Key: Sendable>(at index: Int, from record: inout OriginRecord<Key>) {
        switch connections[index].state {
        case .idle: unlink(index, from: &record)
        case .leased: record.leased -= 1
        }
        connections.remove(at: index)
    }

    private mutating func unlink<Key: Sendable>(_ index: Int, from record: inout OriginRecord<Key>) {
        originLinks.remove(index, from: &record.idle)
        overallLinks.remove(index, from: &overall)
        record.idleCount -= 1
        idleCount -= 1
    }
}
