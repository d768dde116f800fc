import SockeyeCore
import SockeyeHTTP

/// An LRU cache of stored responses: a hash table by key, and a list in order of use within one array (doubly linked).
struct CacheEntryLRU {
    struct Entry: Sendable {
        let stored: StoredResponse
        let key: String
        let pieces: [Bytes]

        /// The size of the entry in bytes, as counted against the store's limit.
        var cost: Int {
            pieces.reduce(stored.fieldBytes + 2 * key.utf8.count + CacheEntryLRU.overhead) { $0 + $1.count }
        }
    }

    /// The approximate memory of an entry besides its content and fields, in bytes.
    private static let overhead = 512

    /// The entries of a key: an array that is returned as it is, and their slots in the same order.
    private struct Bucket {
        var responses: [StoredResponse] = []
        var slots: [Int] = []
    }

    private struct Slot {
        var entry: Entry?
        var cost = 0
        /// The next more recently used slot; unused in a free slot.
        var newer = -1
        /// The next less recently used slot; in a free slot, the next free one.
        var older = -1
    }

    private var slots: [Slot] = []
    private var firstFree = -1
    private var newest = -1
    private var oldest = -1
    private var buckets: [String: Bucket] = [:]
    /// The size of all entries in bytes.
    private(set) var cost = 0
    private(set) var count = 0

    func responses(for key: String) -> [StoredResponse] { buckets[key]?.responses ?? [] }

    /// Returns the content of an entry and makes it the most recently used one.
    mutating func use(_ id: String, for key: String) -> [Bytes]? {
        guard let slot = slot(of: id, for: key) else { return nil }
        if slot != newest {
            unlink(slot)
            linkAsNewest(slot)
        }
        return slots[slot].entry?.pieces
    }

    /// Replaces the head of an entry, which changes its cost.
    mutating func update(_ stored: StoredResponse, for key: String) {
        guard let index = index(of: stored.response.id, for: key), let slot = buckets[key]?.slots[index],
            let old = slots[slot].entry
        else { return }
        buckets[key]?.responses[index] = stored
        let entry = Entry(stored: stored, key: key, pieces: old.pieces)
        cost += entry.cost - slots[slot].cost
        slots[slot].cost = entry.cost
        slots[slot].entry = entry
    }

    /// Adds an entry. Removes the entries that it replaces, and the oldest of its key, so that at most `variants`
    /// remain.
    mutating func insert(_ entry: Entry, variants: Int) {
        for slot in slots(of: entry.key) {
            if let other = slots[slot].entry?.stored, entry.stored.response.replaces(other.response) { remove(slot) }
        }
        while let first = slots(of: entry.key).first, slots(of: entry.key).count >= variants { remove(first) }
        let slot: Int
        let own = Slot(entry: entry, cost: entry.cost)
        if firstFree >= 0 {
            slot = firstFree
            firstFree = slots[slot].older
            slots[slot] = own
        } else {
            slot = slots.count
            slots.append(own)
        }
        buckets[entry.key, default: Bucket()].responses.append(entry.stored)
        buckets[entry.key, default: Bucket()].slots.append(slot)
        linkAsNewest(slot)
        cost += own.cost
        count += 1
    }

    mutating func remove(_ id: String, for key: String) {
        if let slot = slot(of: id, for: key) { remove(slot) }
    }

    mutating func removeAll(for key: String) {
        for slot in slots(of: key) { remove(slot) }
    }

    /// Removes the least recently used entries until the cost is at most `limit`.
    mutating func shrink(to limit: Int) {
        while cost > limit, oldest >= 0 { remove(oldest) }
    }

    private func slots(of key: String) -> [Int] { buckets[key]?.slots ?? [] }

    private func index(of id: String, for key: String) -> Int? {
        buckets[key]?.responses.firstIndex { $0.response.id == id }
    }

    private func slot(of id: String, for key: String) -> Int? {
        guard let bucket = buckets[key], let index = bucket.responses.firstIndex(where: { $0.response.id == id }) else {
            return nil
        }
        return bucket.slots[index]
    }

    private mutating func remove(_ slot: Int) {
        guard let entry = slots[slot].entry else { return }
        unlink(slot)
        cost -= slots[slot].cost
        count -= 1
        if var bucket = buckets.removeValue(forKey: entry.key), let index = bucket.slots.firstIndex(of: slot) {
            bucket.slots.remove(at: index)
            bucket.responses.remove(at: index)
            if !bucket.slots.isEmpty { buckets[entry.key] = bucket }
        }
        slots[slot] = Slot(entry: nil, older: firstFree)
        firstFree = slot
    }

    private mutating func unlink(_ slot: Int) {
        let (newer, older) = (slots[slot].newer, slots[slot].older)
        if newer >= 0 { slots[newer].older = older } else { newest = older }
        if older >= 0 { slots[older].newer = newer } else { oldest = newer }
    }

    private mutating func linkAsNewest(_ slot: Int) {
        (slots[slot].newer, slots[slot].older) = (-1, newest)
        if newest >= 0 { slots[newest].newer = slot } else { oldest = slot }
        newest = slot
    }
}
