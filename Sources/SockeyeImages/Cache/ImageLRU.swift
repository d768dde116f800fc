#if Images
import SockeyeCore

/// An LRU cache of images. When ``usage`` exceeds ``capacity``, it evicts images until ``usage`` is at most
/// ``preferredUsage``.
struct ImageLRU {
    /// The least cost of an entry in bytes: even a tiny image needs memory for its key and its table entry.
    private static let leastCost = 1024

    let capacity: Int
    let preferredUsage: Int
    private var images = LRUCache<ImageKey, Raster>()
    /// The total cost of all entries in bytes.
    private(set) var usage = 0

    init(capacity: Int, preferredUsage: Int) {
        self.capacity = capacity
        self.preferredUsage = preferredUsage
    }

    var count: Int { images.count }

    private static func cost(of image: Raster) -> Int { max(leastCost, image.pixels.count) }

    mutating func use(_ key: ImageKey) -> Raster? { images.use(key) }

    /// Stores an image, unless its cost exceeds ``capacity``. Returns the evicted images, and the previous image of the
    /// key, which is removed even if the new image is not stored.
    mutating func add(_ image: Raster, for key: ImageKey) -> [Raster] {
        var dropped: [Raster] = []
        if let old = remove(key) { dropped.append(old) }
        let cost = Self.cost(of: image)
        guard cost <= capacity else { return dropped }
        images.insert(image, for: key)
        usage += cost
        return dropped + purge()
    }

    mutating func remove(_ key: ImageKey) -> Raster? {
        guard let image = images.remove(key) else { return nil }
        usage -= Self.cost(of: image)
        return image
    }

    mutating func removeAll() -> [Raster] {
        defer {
            images.removeAll()
            usage = 0
        }
        return images.entries.map(\.value)
    }

    private mutating func purge() -> [Raster] {
        guard usage > capacity else { return [] }
        var dropped: [Raster] = []
        while usage > preferredUsage, let oldest = images.removeOldest() {
            usage -= Self.cost(of: oldest.value)
            dropped.append(oldest.value)
        }
        return dropped
    }
}
#endif
