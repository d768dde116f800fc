#if Images
import Synchronization

/// An ``ImageCache`` in memory, bounded by bytes. The counterpart of AFNetworking's `AFAutoPurgingImageCache`; names of
/// that class are given in parentheses.
///
/// If an addition makes the cache larger than ``capacity``, the least recently used images are evicted until the cache
/// is no larger than ``preferredUsage``. An image costs the bytes of its pixels, but at least 1 KiB. An image larger
/// than the capacity is not stored; adding it only removes the previous image of its key.
///
/// The cache does not observe the system's memory. An application that notices a shortage should call ``removeAll()``.
public final class MemoryImageCache: ImageCache {
    private let content: Mutex<ImageLRU>
    private let shouldCache: (@Sendable (_ image: Raster, _ key: ImageKey) -> Bool)?

    /// The maximum cost of all images in bytes (`memoryCapacity`).
    public let capacity: Int
    /// The maximum cost of all images in bytes after an eviction (`preferredMemoryUsageAfterPurge`).
    public let preferredUsage: Int

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - capacity: In bytes. Default 100 MiB.
    ///   - preferredUsage: In bytes, at most the capacity. Default 60 MiB.
    ///   - shouldCache: Returns true if an image should be stored; called by the task that adds it
    ///     (`shouldCacheImage:forRequest:withAdditionalIdentifier:`). Default nil: all images are stored.
    public init(
        capacity: Int = 100 << 20, preferredUsage: Int = 60 << 20,
        shouldCache: (@Sendable (_ image: Raster, _ key: ImageKey) -> Bool)? = nil
    ) {
        self.capacity = max(0, capacity)
        self.preferredUsage = min(max(0, preferredUsage), max(0, capacity))
        self.shouldCache = shouldCache
        content = Mutex(ImageLRU(capacity: self.capacity, preferredUsage: self.preferredUsage))
    }

    /// The number of images.
    public var count: Int { content.withLock { $0.count } }

    /// The current cost in bytes (`memoryUsage`).
    public var usage: Int { content.withLock { $0.usage } }

    /// Returns the image for a key, and marks it as the most recently used.
    public func image(for key: ImageKey) -> Raster? {
        content.withLock { $0.use(key) }
    }

    /// Stores an image unless `shouldCache` returns false or the image costs more than ``capacity``.
    public func add(_ image: Raster, for key: ImageKey) {
        if let shouldCache, !shouldCache(image, key) { return }
        // Evicted images are released outside the lock.
        _ = content.withLock { $0.add(image, for: key) }
    }

    /// Removes an image. Returns true if it was cached.
    @discardableResult public func remove(_ key: ImageKey) -> Bool {
        content.withLock { $0.remove(key) } != nil
    }

    /// Removes all images. Returns true if there were any.
    @discardableResult public func removeAll() -> Bool {
        !content.withLock { $0.removeAll() }.isEmpty
    }
}
#endif
