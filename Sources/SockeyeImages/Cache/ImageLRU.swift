#if Images
/// An LRU cache of images that is purged in batches: past its capacity it shrinks to less than that, so that not each addition
/// has to look for what goes. No I/O.
struct ImageLRU {
    private struct Entry {
        let image: Raster
        let cost: Int
        /// The number of the last use; a count instead of a date, which may be set back.
        var lastUse: UInt64
    }

    /// What the smallest image takes with its name and its place in the table.
    private static let leastCost = 1024

    let capacity: Int
    let preferredUsage: Int
    private var entries: [ImageKey: Entry] = [:]
    /// All uses, the oldest first, from ``firstUse`` on. What was used again since, or removed, is passed over.
    private var uses: [(number: UInt64, key: ImageKey)] = []
    private var firstUse = 0
    private var useCount: UInt64 = 0
    /// The bytes that all count for.
    private(set) var usage = 0

    init(capacity: Int, preferredUsage: Int) {
        self.capacity = capacity
        self.preferredUsage = preferredUsage
    }

    var count: Int { entries.count }

    mutating func use(_ key: ImageKey) -> Raster? {
        guard let index = entries.index(forKey: key) else { return nil }
        entries.values[index].lastUse = noteUse(of: key)
        return entries.values[index].image
    }

    private mutating func noteUse(of key: ImageKey) -> UInt64 {
        useCount += 1
        // Twice as many as there are images, so that all compactions take time for the number of uses.
        if uses.count > 2 * entries.count + 64 {
            uses = uses[firstUse...].filter { entries[$0.key]?.lastUse == $0.number }
            firstUse = 0
        }
        uses.append((useCount, key))
        return useCount
    }

    /// Keeps an image. Returns those that it drops.
    mutating func add(_ image: Raster, for key: ImageKey) -> [Raster] {
        var dropped: [Raster] = []
        if let old = remove(key) { dropped.append(old) }
        let cost = max(Self.leastCost, image.pixels.count)
        guard cost <= capacity else { return dropped }
        entries[key] = Entry(image: image, cost: cost, lastUse: noteUse(of: key))
        usage += cost
        return dropped + purge()
    }

    mutating func remove(_ key: ImageKey) -> Raster? {
        guard let entry = entries.removeValue(forKey: key) else { return nil }
        usage -= entry.cost
        return entry.image
    }

    mutating func removeAll() -> [Raster] {
        defer {
            entries = [:]
            uses = []
            firstUse = 0
            usage = 0
        }
        return entries.values.map(\.image)
    }

    private mutating func purge() -> [Raster] {
        guard usage > capacity else { return [] }
        var dropped: [Raster] = []
        while usage > preferredUsage, firstUse < uses.count {
            let (number, key) = uses[firstUse]
            firstUse += 1
            if entries[key]?.lastUse == number, let image = remove(key) { dropped.append(image) }
        }
        return dropped
    }
}
#endif
