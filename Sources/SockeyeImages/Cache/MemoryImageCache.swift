#if Images
import Synchronization

/// An ``ImageCache`` in memory, bounded by bytes. The counterpart of `AFAutoPurgingImageCache`.
///
/// When an addition makes it larger than ``capacity``, the images that were used longest ago go until it is no larger than
/// ``preferredUsage``. An image counts for the bytes of its pixels, and for 1 KiB at least. One that is larger than the
/// capacity is not kept, and does not make others go.
///
/// Each operation takes a short lock, under which no pixel is copied. There is nothing on Linux that tells a process to give up
/// memory before it is killed: who knows calls ``removeAll()``.
public final class MemoryImageCache: ImageCache {
    private let content: Mutex<ImageLRU>
    private let shouldCache: (@Sendable (_ image: Raster, _ key: ImageKey) -> Bool)?

    /// The bytes that all images have at most (`memoryCapacity`).
    public let capacity: Int
    /// The bytes that they have at most after a purge (`preferredMemoryUsageAfterPurge`).
    public let preferredUsage: Int

    /// Makes an empty cache.
    ///
    /// - Parameters:
    ///   - capacity: In bytes. Default 100 MiB.
    ///   - preferredUsage: In bytes, at most the capacity. Default 60 MiB.
    ///   - shouldCache: Asked about each image before it is kept, by the task that adds it
    ///     (`shouldCacheImage:forRequest:withAdditionalIdentifier:`). Default nil: all are kept.
    public init(
        capacity: Int = 100 << 20, preferredUsage: Int = 60 << 20,
        shouldCache: (@Sendable (_ image: Raster, _ key: ImageKey) -> Bool)? = nil
    ) {
        self.capacity = max(0, capacity)
        self.preferredUsage = min(max(0, preferredUsage), max(0, capacity))
        self.shouldCache = shouldCache
        content = Mutex(ImageLRU(capacity: self.capacity, preferredUsage: self.preferredUsage))
    }

    /// How many images there are.
    public var count: Int { content.withLock { $0.count } }

    /// The bytes that they count for (`memoryUsage`).
    public var usage: Int { content.withLock { $0.usage } }

    /// The image of this name, which then is the one used last.
    public func image(for key: ImageKey) -> Raster? {
        content.withLock { $0.use(key) }
    }

    /// Keeps an image, if `shouldCache` wants it.
    public func add(_ image: Raster, for key: ImageKey) {
        if let shouldCache, !shouldCache(image, key) { return }
        // What is let go is freed outside the lock.
        _ = content.withLock { $0.add(image, for: key) }
    }

    /// Removes an image; tells whether there was one.
    @discardableResult public func remove(_ key: ImageKey) -> Bool {
        content.withLock { $0.remove(key) } != nil
    }

    /// Removes all images; tells whether there were any.
    @discardableResult public func removeAll() -> Bool {
        !content.withLock { $0.removeAll() }.isEmpty
    }
}
#endif
