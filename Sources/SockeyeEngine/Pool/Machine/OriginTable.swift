/// The record of every key of which the pool holds anything.
struct OriginTable<Key: Hashable & Sendable>: Sendable {
    private var records = SlotMap<OriginRecord, OriginKind>()
    private var keys = SlotParallelArray<Key>()
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
        if let latest, keys[latest] == key { return latest }
        latest = indices[key]
        return latest
    }

    /// The record that was looked up last, under a name that no other record ever has.
    var latestID: PoolID<OriginKind>? { latest.map { records.id(at: $0) } }

    func key(at index: Int) -> Key { keys[index] }

    var all: Dictionary<Key, Int>.Values { indices.values }

    /// The place of the key's record, made if need be.
    mutating func insert(_ key: Key) -> Int {
        if let index = find(key) { return index }
        let index = Int(records.insert(OriginRecord()).slot)
        keys.insert(key, at: index)
        indices[key] = index
        latest = index
        return index
    }

    /// Forgets an origin of which nothing is left, so that contacting millions of them does not add up.
    mutating func removeIfUnused(_ index: Int) {
        guard records[index].isUnused else { return }
        indices.removeValue(forKey: keys[index])
        if latest == index { latest = nil }
        records.remove(at: index)
        keys.remove(at: index, isLast: records.isEmpty)
        if indices.isEmpty && indices.capacity > 4 * PoolMemory.kept { indices = [:] }
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
