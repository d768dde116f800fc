/// An LRU cache: a hash table whose entries are also linked in the order of their use. Every operation takes constant
/// time.
///
/// ``insert(_:for:)`` keeps the number of entries within the capacity. For a limit of another kind, such as bytes, the
/// owner calls ``removeOldest()`` as often as necessary.
@usableFromInline package struct LRUCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// An entry. `newer` and `older` are the indices of its neighbours in the order of use; -1 if there is no
    /// neighbour.
    @usableFromInline
    struct Node: Sendable {
        @usableFromInline let key: Key
        @usableFromInline var value: Value
        @usableFromInline var newer = -1
        @usableFromInline var older = -1

        @inlinable
        init(key: Key, value: Value) {
            self.key = key
            self.value = value
        }
    }

    /// The maximum number of entries.
    @usableFromInline package let capacity: Int
    @usableFromInline var nodes: [Node] = []
    @usableFromInline var indices: [Key: Int] = [:]
    @usableFromInline var newest = -1
    @usableFromInline var oldest = -1

    /// - Parameter capacity: The maximum number of entries, at least 1.
    @inlinable
    package init(capacity: Int = .max) {
        self.capacity = Swift.max(1, capacity)
    }

    @inlinable package var count: Int { nodes.count }
    @inlinable package var isEmpty: Bool { nodes.isEmpty }

    /// All entries, in no particular order.
    @inlinable package var entries: some Sequence<(key: Key, value: Value)> {
        nodes.lazy.map { ($0.key, $0.value) }
    }

    /// Returns the value of a key. This does not count as a use.
    @inlinable
    package func peek(_ key: Key) -> Value? {
        indices[key].map { nodes[$0].value }
    }

    /// Returns the value of a key and makes its entry the most recently used one.
    @inlinable
    package mutating func use(_ key: Key) -> Value? {
        use(key) { $0 }
    }

    /// Reads or changes the value of a key in place and makes its entry the most recently used one. Returns nil if
    /// there is no entry.
    @inlinable
    @discardableResult
    package mutating func use<Result>(_ key: Key, _ body: (inout Value) -> Result) -> Result? {
        // Many callers use one key most of the time. Comparing with the newest key is faster than hashing.
        if isNewest(where: { $0 == key }) { return body(&nodes[newest].value) }
        guard let index = indices[key] else { return nil }
        unlink(index)
        linkAsNewest(index)
        return body(&nodes[index].value)
    }

    /// Reads or changes the value of the most recently used entry in place if `isKey` returns true for its key.
    /// Otherwise returns nil.
    @inlinable
    package mutating func useNewest<Result>(
        where isKey: (Key) -> Bool, _ body: (inout Value) -> Result
    ) -> Result? {
        isNewest(where: isKey) ? body(&nodes[newest].value) : nil
    }

    @inlinable
    func isNewest(where isKey: (Key) -> Bool) -> Bool {
        // The key is read through a span, because reading a part of an element directly from the array copies the whole
        // element.
        let nodes = nodes.span
        return newest >= 0 && isKey(nodes[newest].key)
    }

    /// Adds or replaces the value of a key and makes its entry the most recently used one. Evicts the least recently
    /// used entry if the key is new and the cache is full.
    ///
    /// - Returns: The replaced or evicted value, so that the caller can release it outside of a lock; nil if no entry
    ///   was replaced or evicted.
    @inlinable
    @discardableResult
    package mutating func insert(_ value: Value, for key: Key) -> Value? {
        let old = remove(key) ?? (count >= capacity ? removeOldest()?.value : nil)
        indices[key] = nodes.count
        nodes.append(Node(key: key, value: value))
        linkAsNewest(nodes.count - 1)
        return old
    }

    @inlinable
    @discardableResult
    package mutating func remove(_ key: Key) -> Value? {
        indices[key].map { remove(at: $0).value }
    }

    /// Removes the least recently used entry.
    @inlinable
    package mutating func removeOldest() -> (key: Key, value: Value)? {
        oldest >= 0 ? remove(at: oldest) : nil
    }

    /// Removes all entries and frees their memory.
    @inlinable
    package mutating func removeAll() {
        self = LRUCache(capacity: capacity)
    }

    /// Removes the entry at `index`, then moves the last node of the array to `index`.
    @inlinable
    mutating func remove(at index: Int) -> (key: Key, value: Value) {
        unlink(index)
        let removed = nodes[index]
        indices[removed.key] = nil
        let moved = nodes.removeLast()
        if index < nodes.count {
            nodes[index] = moved
            indices[moved.key] = index
            if moved.newer >= 0 { nodes[moved.newer].older = index } else { newest = index }
            if moved.older >= 0 { nodes[moved.older].newer = index } else { oldest = index }
        }
        return (removed.key, removed.value)
    }

    @inlinable
    mutating func unlink(_ index: Int) {
        let (newer, older) = (nodes[index].newer, nodes[index].older)
        if newer >= 0 { nodes[newer].older = older } else { newest = older }
        if older >= 0 { nodes[older].newer = newer } else { oldest = newer }
    }

    @inlinable
    mutating func linkAsNewest(_ index: Int) {
        (nodes[index].newer, nodes[index].older) = (-1, newest)
        if newest >= 0 { nodes[newest].newer = index } else { oldest = index }
        newest = index
    }
}
