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
    /// When the connection is too old to be lent again; the beginning of time once it was retired.
    var ageDeadline: MonotonicTime
    var state = State.leased
    /// How often it was lent.
    var uses = 0
    /// While idle: when it may no longer be lent; the earliest of idle time-out, server's hint and age.
    var idleDeadline = MonotonicTime.distantFuture
    /// When it was made.
    var made = MonotonicTime.zero
    /// When it was given back last, or made: a connection that lies idle has done so since then.
    var lastUse = MonotonicTime.zero
    /// It lay idle or carried an exchange before, so the server may have closed it unnoticed.
    var isReused = false
}

/// The record of every key of which the pool holds anything.
struct OriginTable<Key: Hashable & Sendable>: Sendable {
    private var records = SlotMap<OriginRecord, OriginKind>()
    private var keys = SlotParallelArray<KeptKey<Key>>()
    private var indices: [Key: Int] = [:]
    /// The place that was looked up last. Most clients talk to few origins, and comparing a key is cheaper than hashing it.
    private var latest: Int?

    subscript(index: Int) -> OriginRecord {
        get { records[index] }
        _modify { yield &records[index] }
    }

    func index(of key: Key) -> Int? { indices[key] }

    /// As ``index(of:)``, and remembers the place for the next time.
    mutating func find(_ key: Key) -> Int? {
        if let latest, keys[latest].value == key { return latest }
        latest = indices[key]
        return latest
    }

    /// The record that was looked up last, under a name that no other record ever has.
    var latestID: PoolID<OriginKind>? { latest.map { records.id(at: $0) } }

    func key(at index: Int) -> Key { keys[index].value }

    var all: Dictionary<Key, Int>.Values { indices.values }

    /// The place of the key's record, made if need be.
    mutating func insert(_ key: Key) -> Int {
        if let index = find(key) { return index }
        let index = Int(records.insert(OriginRecord()).slot)
        keys.insert(KeptKey(key), at: index)
        indices[key] = index
        latest = index
        return index
    }

    /// Forgets an origin of which nothing is left, so that contacting millions of them does not add up.
    mutating func removeIfUnused(_ index: Int) {
        guard records[index].isUnused else { return }
        indices.removeValue(forKey: keys[index].value)
        if latest == index { latest = nil }
        records.remove(at: index)
        keys.remove(at: index, isLast: records.isEmpty)
        if indices.isEmpty && indices.capacity > 4 * PoolMemory.kept { indices = [:] }
    }
}

/// A boxed key. Each request copies the latest key to compare it with its own: out of an array of optionals the copy goes through
/// value witnesses, out of a box it is a third cheaper.
private final class KeptKey<Key: Hashable & Sendable>: Sendable {
    let value: Key

    init(_ value: Key) {
        self.value = value
    }
}

/// The record of one key: its idle connections, its waiter queue and its share of the limits.
///
/// The queue is one list in order of arrival. Its first `covered` waiters each have a dial under way (dials are not
/// tied to waiters: whatever gets ready first serves the oldest); `firstUncovered` is the one after them. A covered
/// waiter stays covered until it leaves, because a dial only ends together with the head of the queue.
struct OriginRecord {
    /// Oldest first; the last is lent next.
    var idle = IntrusiveList()
    var queue = IntrusiveList()
    /// The waiters of the queue that may take a used connection.
    var ordinary = IntrusiveList()
    var firstUncovered: Int?

    var idleCount = 0
    var leased = 0
    var dialling = 0
    var waiting = 0
    var covered = 0

    /// What counts against the limits.
    var connections: Int { idleCount + leased + dialling }
    /// Dials under way that nobody waits for, since their requesters were served otherwise or gave up.
    var surplusDials: Int { dialling - covered }
    var isUnused: Bool { connections == 0 && waiting == 0 }
}

/// Links of intrusive doubly linked lists over the indices of a table: any member leaves in O(1), nothing is allocated.
///
/// One value serves any number of lists as long as an index is in at most one of them at a time.
struct IntrusiveListLinks {
    private struct Link {
        var previous: Int32
        var next: Int32
    }

    private var links: [Link] = []

    func next(after index: Int) -> Int? {
        let next = links[index].next
        return next < 0 ? nil : Int(next)
    }

    func previous(before index: Int) -> Int? {
        let previous = links[index].previous
        return previous < 0 ? nil : Int(previous)
    }

    mutating func append(_ index: Int, to list: inout IntrusiveList) {
        let member = Int32(truncatingIfNeeded: index)
        while links.count <= index { links.append(Link(previous: IntrusiveList.none, next: IntrusiveList.none)) }
        links[index] = Link(previous: list.lastLink, next: IntrusiveList.none)
        if list.lastLink < 0 {
            list.firstLink = member
        } else {
            links[Int(list.lastLink)].next = member
        }
        list.lastLink = member
    }

    mutating func remove(_ index: Int, from list: inout IntrusiveList) {
        let link = links[index]
        if link.previous < 0 {
            list.firstLink = link.next
        } else {
            links[Int(link.previous)].next = link.next
        }
        if link.next < 0 {
            list.lastLink = link.previous
        } else {
            links[Int(link.next)].previous = link.previous
        }
    }

    /// Gives the memory back; for when every list over these links is empty.
    mutating func releaseMemory() {
        links = []
    }

    /// How many indices the links have room for.
    var capacity: Int { links.count }
}

/// Intrusive doubly linked list: its two ends. The links live in a `IntrusiveListLinks`.
struct IntrusiveList {
    static let none: Int32 = -1

    var firstLink = IntrusiveList.none
    var lastLink = IntrusiveList.none

    var isEmpty: Bool { firstLink < 0 }
    var first: Int? { firstLink < 0 ? nil : Int(firstLink) }
    var last: Int? { lastLink < 0 ? nil : Int(lastLink) }
}
