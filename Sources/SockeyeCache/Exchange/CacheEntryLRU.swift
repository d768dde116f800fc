import SockeyeCore
import SockeyeHTTP

/// An LRU cache of stored responses, several of which may have the same key.
struct CacheEntryLRU {
    struct Entry: Sendable {
        let stored: StoredResponse
        let key: String
        let pieces: [Bytes]
        /// The size of the entry in bytes, as counted against the store's limit.
        let cost: Int

        /// The approximate number of bytes that an entry takes in addition to its content, fields and key.
        private static let overhead = 512

        init(stored: StoredResponse, key: String, pieces: [Bytes]) {
            self.stored = stored
            self.key = key
            self.pieces = pieces
            cost = pieces.reduce(stored.fieldBytes + 2 * key.utf8.count + Self.overhead) { $0 + $1.count }
        }
    }

    private struct ID: Hashable {
        let response: String
        let key: String
    }

    /// The maximum of ``cost``.
    private let limit: Int
    private var entries = LRUCache<ID, Entry>()
    /// The responses of each key, the oldest first. Kept as arrays, so that a lookup returns them without a copy.
    private var responses: [String: [StoredResponse]] = [:]
    /// The size of all entries in bytes.
    private(set) var cost = 0

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { entries.count }

    func responses(for key: String) -> [StoredResponse] { responses[key] ?? [] }

    /// Returns the content of an entry and makes the entry the most recently used; nil if it was removed.
    mutating func use(_ id: String, for key: String) -> [Bytes]? {
        entries.use(ID(response: id, key: key))?.pieces
    }

    /// Replaces the head of an entry; does nothing if the entry was removed before. If the entry alone then exceeds the
    /// limit, removes only this entry.
    mutating func update(_ stored: StoredResponse, for key: String) {
        let id = stored.response.id
        guard let index = responses[key]?.firstIndex(where: { $0.response.id == id }) else { return }
        responses[key]?[index] = stored
        var updated = 0
        entries.use(ID(response: id, key: key)) { entry in
            cost -= entry.cost
            entry = Entry(stored: stored, key: key, pieces: entry.pieces)
            updated = entry.cost
            cost += updated
        }
        if updated > limit { remove(id, for: key) }
        shrink()
    }

    /// Removes the entries that the new entry replaces, and adds the new entry unless it alone exceeds the limit. If it
    /// is added, only the newest `variants` entries of its key remain.
    mutating func insert(_ entry: Entry, variants: Int) {
        let (new, key) = (entry.stored.response, entry.key)
        for old in responses(for: key) where new.replaces(old.response) || new.id == old.response.id {
            remove(old.response.id, for: key)
        }
        guard entry.cost <= limit else { return }
        for old in responses(for: key).dropLast(variants - 1) { remove(old.response.id, for: key) }
        responses[key, default: []].append(entry.stored)
        entries.insert(entry, for: ID(response: new.id, key: key))
        cost += entry.cost
        shrink()
    }

    mutating func remove(_ id: String, for key: String) {
        if let entry = entries.remove(ID(response: id, key: key)) { forget(entry) }
    }

    mutating func removeAll(for key: String) {
        for stored in responses(for: key) { remove(stored.response.id, for: key) }
    }

    /// Removes the least recently used entries until the cost is at most the limit.
    private mutating func shrink() {
        while cost > limit, let oldest = entries.removeOldest() { forget(oldest.value) }
    }

    /// Updates the cost and the lists of responses after the removal of an entry.
    private mutating func forget(_ entry: Entry) {
        cost -= entry.cost
        responses[entry.key]?.removeAll { $0.response.id == entry.stored.response.id }
        if responses[entry.key]?.isEmpty == true { responses[entry.key] = nil }
    }
}
