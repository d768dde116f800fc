#if Images
import SockeyeImages
import SockeyeTestSupport
import Testing

@Suite("The in-memory image cache") struct MemoryImageCacheTests {
    /// 4 KiB of pixels.
    private static let size = 4096

    private static func key(_ name: Int, _ identifier: String? = nil) throws -> ImageKey {
        ImageKey(url: try HTTPURL("http://example.com/\(name)"), identifier: identifier)
    }

    private static func image(bytes: Int = size) throws -> Raster { try Samples.raster(bytes / 4, 1) }

    @Test("the default capacity is 100 MiB, and a purge leaves at most 60 MiB")
    func defaults() {
        #expect(MemoryImageCache().capacity == 100 << 20)
        #expect(MemoryImageCache().preferredUsage == 60 << 20)
        #expect(MemoryImageCache(capacity: 10, preferredUsage: 20).preferredUsage == 10)
    }

    @Test("the cache keeps images by URL, fields, identifier and scale, and counts their bytes")
    func keys() throws {
        let cache = MemoryImageCache()
        let image = try Self.image()
        cache.add(image, for: try Self.key(1))
        #expect(cache.image(for: try Self.key(1)) == image)
        #expect(cache.image(for: try Self.key(2)) == nil)
        #expect(cache.image(for: try Self.key(1, "circle")) == nil)
        let url = try HTTPURL("http://example.com/1")
        #expect(cache.image(for: ImageKey(url: url, headers: ["Authorization": "x"])) == nil)
        #expect(cache.image(for: ImageKey(url: url, scale: 2)) == nil)
        cache.add(try Self.image(bytes: 2 * Self.size), for: try Self.key(1))
        #expect(cache.usage == 2 * Self.size)
        cache.add(image, for: try Self.key(1, "circle"))
        #expect(cache.usage == 3 * Self.size)
        #expect(cache.count == 2)
        #expect(cache.remove(try Self.key(1)))
        #expect(!cache.remove(try Self.key(1)))
        #expect(cache.usage == Self.size)
        #expect(cache.removeAll())
        #expect(!cache.removeAll())
        #expect(cache.usage == 0)
        let secret = ImageKey(url: try HTTPURL("http://ada:s3cret@example.com/"), headers: ["Authorization": "s3cret"])
        #expect(!"\(secret)".contains("s3cret"))
    }

    @Test("beyond its capacity the cache shrinks to the preferred usage and evicts the least recently used")
    func purge() throws {
        let cache = MemoryImageCache(capacity: 10 * Self.size, preferredUsage: 6 * Self.size)
        for name in 1...10 { cache.add(try Self.image(), for: try Self.key(name)) }
        #expect(cache.count == 10)
        // The first two are now the most recently used.
        for name in 1...2 { #expect(cache.image(for: try Self.key(name)) != nil) }
        cache.add(try Self.image(), for: try Self.key(11))
        #expect(cache.usage == 6 * Self.size)
        let kept = try (1...11).filter { cache.image(for: try Self.key($0)) != nil }
        #expect(kept == [1, 2, 8, 9, 10, 11])
    }

    @Test("the order of use stays right after very many uses")
    func manyUses() throws {
        let cache = MemoryImageCache(capacity: 3 * Self.size, preferredUsage: 3 * Self.size)
        for name in 1...3 { cache.add(try Self.image(), for: try Self.key(name)) }
        let keys = try [2, 3, 1].map { try Self.key($0) }
        for _ in 0..<500 { for key in keys { #expect(cache.image(for: key) != nil) } }
        cache.add(try Self.image(), for: try Self.key(4))
        #expect(try [1, 2, 3, 4].map { cache.image(for: try Self.key($0)) != nil } == [true, false, true, true])
    }

    @Test("an image larger than the cache is not kept and evicts nothing")
    func large() throws {
        let cache = MemoryImageCache(capacity: 10 * Self.size, preferredUsage: 6 * Self.size)
        cache.add(try Self.image(), for: try Self.key(1))
        cache.add(try Self.image(), for: try Self.key(2))
        cache.add(try Self.image(bytes: 11 * Self.size), for: try Self.key(2))
        #expect(cache.image(for: try Self.key(1)) != nil)
        // The old image must not be served under this key any more.
        #expect(cache.image(for: try Self.key(2)) == nil)
    }

    @Test("an image of one pixel costs 1 KiB of the cache's capacity")
    func small() throws {
        let cache = MemoryImageCache(capacity: 1 << 20, preferredUsage: 1 << 20)
        for name in 0..<5000 { cache.add(try Samples.raster(1, 1), for: try Self.key(name)) }
        #expect(cache.count == 1024)
        #expect(cache.usage == 1 << 20)
    }

    @Test("a closure decides if an image is kept")
    func hook() throws {
        let cache = MemoryImageCache { image, key in image.width > 1 && key.identifier == nil }
        cache.add(try Samples.raster(1, 1), for: try Self.key(1))
        cache.add(try Samples.raster(2, 1), for: try Self.key(2))
        cache.add(try Samples.raster(2, 1), for: try Self.key(3, "circle"))
        #expect(cache.count == 1)
    }

    @Test("the usage is counted correctly under concurrent use")
    func threads() async throws {
        let cache = MemoryImageCache(capacity: 50 * Self.size, preferredUsage: 30 * Self.size)
        let image = try Self.image()
        let keys = try (0..<100).map { try Self.key($0) }
        await withTaskGroup { group in
            for seed in 0..<4 {
                group.addTask {
                    var generator = SplitMix(seed: UInt64(seed))
                    for _ in 0..<2000 {
                        let key = keys[Int.random(in: keys.indices, using: &generator)]
                        switch Int.random(in: 0..<8, using: &generator) {
                        case 0...3: cache.add(image, for: key)
                        case 4...6: #expect(cache.image(for: key) == nil || cache.usage > 0)
                        default: cache.remove(key)
                        }
                    }
                }
            }
        }
        #expect(cache.usage <= 50 * Self.size)
        #expect(cache.usage == cache.count * Self.size)
        #expect(keys.count { cache.image(for: $0) != nil } == cache.count)
    }
}
#endif
