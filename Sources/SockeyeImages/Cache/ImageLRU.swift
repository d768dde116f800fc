#if Images
/// An LRU cache of images that is purged in batches. Past its capacity it shrinks to less than that, so that not every
/// addition has to search for evictions. No I/O.
struct ImageLRU {
    private struct Entry {
        let image: Raster
        let cost: Int
        /// The number of the last use; a count and not a date, since clocks may be set back.
        var lastUse: UInt64
    }

    /// The cost of the smallest image, with its key and its table entry.
    private static let leastCost = 1024

    let capacity: Int
    let preferredUsage: Int
    private var entries: [ImageKey: Entry] = [:]
    /// The uses from ``firstUse`` on, the oldest first. Entries for images that were used again or removed are skipped.
    private var uses: [(number: UInt64, key: ImageKey)] = []
    private var firstUse = 0
    private var useCount: UInt64 = 0
    /// The total cost of all entries in bytes.
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
        // Compacts at twice the number of images, so that all compactions together take time proportional to the number
        // of uses.
        if uses.count > 2 * entries.count + 64 {
            uses = uses[firstUse...].filter { entries[$0.key]?.lastUse == $0.number }
            firstUse = 0
        }
        uses.append((useCount, key))
        return useCount
    }

    /// Stores an image. Returns the evicted ones.
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
