import SockeyeCore

/// All open connections of the pool. Idle connections are in least-recently-used order, per origin and over all
/// origins.
struct ConnectionTable<Connection: Sendable>: Sendable {
    private var connections = SlotMap<PooledConnection, ConnectionKind>()
    private var payloads = SlotParallelArray<Connection>()
    private var originLinks = IntrusiveListLinks()
    private var overallLinks = IntrusiveListLinks()
    private var overall = IntrusiveList()

    private(set) var idleCount = 0

    var count: Int { connections.count }
    var leasedCount: Int { connections.count - idleCount }

    /// The least recently used idle connection of any origin.
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

    /// Adds a new connection in the leased state.
    mutating func insert(
        _ payload: Connection, as connection: PooledConnection, into record: inout OriginRecord
    ) -> Int {
        record.leased += 1
        let index = Int(connections.insert(connection).slot)
        payloads.insert(payload, at: index)
        return index
    }

    /// Makes a leased connection idle. Of the idle connections of its origin, this one is leased next.
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

    /// Makes an idle connection leased.
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

/// The record of a pooled connection: the facts that decide its reuse.
struct PooledConnection {
    enum State {
        case leased
        case idle
    }

    let origin: Int
    /// The time from which the connection is too old to be leased again. `zero` if ``PoolMachine/retire(where:)``
    /// forbade its reuse.
    var ageDeadline: MonotonicTime
    var state = State.leased
    /// The number of times that the connection was leased.
    var uses = 0
    /// The time from which an idle connection may no longer be leased: ``ageDeadline``, the end of the idle time-out,
    /// or a time shortly before the end of the server's `Keep-Alive: timeout`, whichever comes first.
    var idleDeadline = MonotonicTime.distantFuture
    /// The time at which the connection was opened.
    var made = MonotonicTime.zero
    /// The time of the last release, or of the opening if there was no release yet.
    var lastUse = MonotonicTime.zero
    /// True if the connection was idle or carried an exchange before. The server may then have closed it unnoticed.
    var isReused = false
}

/// The record of a dial under way.
struct DialRecord {
    let origin: Int
    /// The waiter that the dial was started for. If the dial fails, this waiter gets the error. Nil for a dial ahead of
    /// need.
    let waiter: WaiterID?
    let started: MonotonicTime
    /// The sequence number of the last waiter that the dialled connection may serve. ``PoolMachine/retire(where:)``
    /// lowers it to that of the last waiter that relies on a dial. Later waiters get connections that are dialled after
    /// that call.
    var lastServed = UInt64.max
    /// True once the dial is so slow that no waiter relies on it any more. If it succeeds, its connection still serves
    /// the oldest waiter.
    var isDetached = false

    var isRetired: Bool { lastServed < .max }
}

/// The records of all keys for which the pool has connections, dials or waiters.
struct OriginTable<Key: Hashable & Sendable>: Sendable {
    private var records = SlotMap<OriginRecord, OriginKind>()
    private var keys = SlotParallelArray<KeptKey<Key>>()
    private var indices: [Key: Int] = [:]
    /// The index that was looked up last. Most clients talk to few origins, and comparing a key is cheaper than hashing
    /// it.
    private var latest: Int?

    subscript(index: Int) -> OriginRecord {
        get { records[index] }
        _modify { yield &records[index] }
    }

    func index(of key: Key) -> Int? { indices[key] }

    /// As ``index(of:)``, and remembers the index for the next look-up.
    mutating func find(_ key: Key) -> Int? {
        if let latest, keys[latest].value == key { return latest }
        latest = indices[key]
        return latest
    }

    /// The id of the record that was looked up last; nil if that look-up found no record, or the record was removed.
    var latestID: SlotID<OriginKind>? { latest.map { records.id(at: $0) } }

    func key(at index: Int) -> Key { keys[index].value }

    var all: Dictionary<Key, Int>.Values { indices.values }

    /// Returns the index of the key's record, which is created if need be.
    mutating func insert(_ key: Key) -> Int {
        if let index = find(key) { return index }
        let index = Int(records.insert(OriginRecord()).slot)
        keys.insert(KeptKey(key), at: index)
        indices[key] = index
        latest = index
        return index
    }

    /// Removes the record of an origin without connections, dials and waiters, so that the memory does not grow with
    /// the number of origins ever contacted.
    mutating func removeIfUnused(_ index: Int) {
        guard records[index].isUnused else { return }
        indices.removeValue(forKey: keys[index].value)
        if latest == index { latest = nil }
        records.remove(at: index)
        keys.remove(at: index, isLast: records.isEmpty)
        if indices.isEmpty && indices.capacity > 4 * SlotMemory.kept { indices = [:] }
    }
}

/// A boxed key. Each request copies the latest key to compare it with its own. Copying it from an array of optionals
/// goes through value witnesses; copying it from a box is a third cheaper.
private final class KeptKey<Key: Hashable & Sendable>: Sendable {
    let value: Key

    init(_ value: Key) {
        self.value = value
    }
}

/// The record of one key: its idle connections, its waiter queue and its share of the limits.
///
/// The queue is one list in order of arrival. Its first `covered` waiters each rely on a dial under way;
/// `firstUncovered` is the waiter after them. The first connection that gets ready serves the oldest waiter, whichever
/// waiter its dial was started for.
///
/// Covered waiters stay covered until they leave the queue, as long as there are enough dials that are not detached
/// (``DialRecord/isDetached``). If there are fewer such dials than covered waiters, the last covered waiters become
/// uncovered. There are three causes: a dial is detached, a dial ends without serving a waiter, or a waiter returns to
/// its earlier place in the queue. A waiter returns if the peer has closed the connection that the waiter had got.
struct OriginRecord {
    /// The idle connections, least recently used first; the last is leased next.
    var idle = IntrusiveList()
    var queue = IntrusiveList()
    /// The waiters of the queue that accept a used connection.
    var ordinary = IntrusiveList()
    var firstUncovered: Int?

    var idleCount = 0
    var leased = 0
    var dialling = 0
    var waiting = 0
    var covered = 0
    /// The dials under way on which no waiter relies any more; see ``DialRecord/isDetached``.
    var detached = 0

    /// The number of connections and dials that count against the limits.
    var connections: Int { idleCount + leased + dialling }
    /// The number of dials under way that a new waiter may rely on: those whose waiter gave up or got another
    /// connection, and those started ahead of need. Negative only in the middle of an update.
    var surplusDials: Int { dialling - detached - covered }
    var isUnused: Bool { connections == 0 && waiting == 0 }
}

/// The links of intrusive doubly linked lists over the indices of a table. Any member is removed in O(1) without
/// allocation.
///
/// One value serves any number of lists, provided that an index is in at most one of them at a time.
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

    /// Inserts an index before a member; at the end if the member is nil.
    mutating func insert(_ index: Int, before next: Int?, in list: inout IntrusiveList) {
        guard let next else { return append(index, to: &list) }
        while links.count <= index { links.append(Link(previous: IntrusiveList.none, next: IntrusiveList.none)) }
        let member = Int32(truncatingIfNeeded: index)
        let previous = links[next].previous
        links[index] = Link(previous: previous, next: Int32(truncatingIfNeeded: next))
        links[next].previous = member
        if previous < 0 {
            list.firstLink = member
        } else {
            links[Int(previous)].next = member
        }
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

    /// Frees the memory. Every list over these links must be empty.
    mutating func releaseMemory() {
        links = []
    }

    /// The number of indices that the links have room for.
    var capacity: Int { links.count }
}

/// An intrusive doubly linked list: its two ends. The links are in an `IntrusiveListLinks`.
struct IntrusiveList {
    static let none: Int32 = -1

    var firstLink = IntrusiveList.none
    var lastLink = IntrusiveList.none

    var isEmpty: Bool { firstLink < 0 }
    var first: Int? { firstLink < 0 ? nil : Int(firstLink) }
    var last: Int? { lastLink < 0 ? nil : Int(lastLink) }
}
