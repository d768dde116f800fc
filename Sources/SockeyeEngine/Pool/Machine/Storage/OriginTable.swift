/// The record of every key of which the pool holds anything.
struct OriginTable<Key: Hashable & Sendable>: Sendable {
    private var records = Slab<OriginRecord, OriginKind>()
    private var keys = Column<Key>()
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
