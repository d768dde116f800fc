import SockeyeCore
import SockeyeHTTP

/// An LRU cache of stored responses: a hash table by key, and a doubly linked list in the order of use within one array.
struct CacheEntryList {
    struct Entry: Sendable {
        var response: CachedResponse
        let key: String
        let pieces: [Bytes]
        /// Bytes that it counts for.
        let cost: Int
    }

    private struct Slot {
        var entry: Entry?
        /// More recently used; for a free slot, nothing.
        var newer = -1
        /// Less recently used; for a free slot, the next free one.
        var older = -1
    }

    private var slots: [Slot] = []
    private var firstFree = -1
    private var newest = -1
    private var oldest = -1
    private var slotsByKey: [String: [Int]] = [:]
    /// The bytes that all count for.
    private(set) var cost = 0
    private(set) var count = 0

    func responses(for key: String) -> [CachedResponse] {
        slotsByKey[key, default: []].compactMap { slots[$0].entry?.response }
    }

    /// The entry of this name, which then is the most recently used one.
    mutating func use(_ id: String, for key: String) -> Entry? {
        guard let slot = slot(of: id, for: key) else { return nil }
        unlink(slot)
        linkAsNewest(slot)
        return slots[slot].entry
    }

    mutating func update(_ response: CachedResponse, for key: String) {
        guard let slot = slot(of: response.id, for: key) else { return }
        slots[slot].entry?.response = response
    }

    /// Adds an entry in the place of those that it replaces, and of the oldest of its key beyond `variants`.
    mutating func insert(_ entry: Entry, variants: Int) {
        for slot in slotsByKey[entry.key, default: []] {
            if let other = slots[slot].entry?.response, entry.response.replaces(other) { remove(slot) }
        }
        while let first = slotsByKey[entry.key]?.first, slotsByKey[entry.key, default: []].count >= variants {
            remove(first)
        }
        let slot: Int
        if firstFree >= 0 {
            slot = firstFree
            firstFree = slots[slot].older
            slots[slot] = Slot(entry: entry)
        } else {
            slot = slots.count
            slots.append(Slot(entry: entry))
        }
        slotsByKey[entry.key, default: []].append(slot)
        linkAsNewest(slot)
        cost += entry.cost
        count += 1
    }

    mutating func remove(_ id: String, for key: String) {
        if let slot = slot(of: id, for: key) { remove(slot) }
    }

    mutating func removeAll(for key: String) {
        for slot in slotsByKey[key, default: []] { remove(slot) }
    }

    /// Removes the least recently used ones until the rest is small enough.
    mutating func shrink(to limit: Int) {
        while cost > limit, oldest >= 0 { remove(oldest) }
    }

    private func slot(of id: String, for key: String) -> Int? {
        slotsByKey[key]?.first { slots[$0].entry?.response.id == id }
    }

    private mutating func remove(_ slot: Int) {
        guard let entry = slots[slot].entry else { return }
        unlink(slot)
        cost -= entry.cost
        count -= 1
        let rest = slotsByKey[entry.key, default: []].filter { $0 != slot }
        slotsByKey[entry.key] = rest.isEmpty ? nil : rest
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
