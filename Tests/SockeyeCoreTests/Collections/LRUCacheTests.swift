import SockeyeCore
import SockeyeTestSupport
import Testing

@Suite("LRU cache")
struct LRUCacheTests {
    @Test("A full cache evicts the least recently used entry and returns its value")
    func eviction() {
        var cache = LRUCache<String, Int>(capacity: 2)
        #expect(cache.insert(1, for: "a") == nil)
        #expect(cache.insert(2, for: "b") == nil)
        #expect(cache.use("a") == 1)
        #expect(cache.insert(3, for: "c") == 2)
        #expect(cache.peek("b") == nil)
        #expect(cache.count == 2)
    }

    @Test("Replacing a value returns the previous one and evicts no other entry")
    func replacement() {
        var cache = LRUCache<String, Int>(capacity: 2)
        cache.insert(1, for: "a")
        cache.insert(2, for: "b")
        #expect(cache.insert(3, for: "a") == 1)
        #expect(cache.peek("a") == 3)
        #expect(cache.peek("b") == 2)
    }

    @Test("A look-up by peek does not count as a use")
    func peek() {
        var cache = LRUCache<String, Int>(capacity: 2)
        cache.insert(1, for: "a")
        cache.insert(2, for: "b")
        #expect(cache.peek("a") == 1)
        cache.insert(3, for: "c")
        #expect(cache.peek("a") == nil)
    }

    @Test("Only the most recently used entry is found by useNewest")
    func newest() {
        var cache = LRUCache<String, Int>()
        #expect(cache.useNewest(where: { _ in true }, { $0 }) == nil)
        cache.insert(1, for: "a")
        cache.insert(2, for: "b")
        #expect(cache.useNewest(where: { $0 == "a" }, { $0 }) == nil)
        cache.useNewest(where: { $0 == "b" }, { $0 += 10 })
        #expect(cache.peek("b") == 12)
    }

    @Test("A capacity below one counts as one")
    func smallestCapacity() {
        var cache = LRUCache<String, Int>(capacity: 0)
        cache.insert(1, for: "a")
        cache.insert(2, for: "b")
        #expect(cache.entries.map(\.key) == ["b"])
    }

    @Test("After removeAll the cache is empty and usable")
    func removeAll() {
        var cache = LRUCache<String, Int>(capacity: 2)
        cache.insert(1, for: "a")
        cache.removeAll()
        #expect(cache.isEmpty)
        #expect(cache.removeOldest() == nil)
        cache.insert(2, for: "a")
        #expect(cache.use("a") == 2)
        #expect(cache.capacity == 2)
    }

    @Test("Random operations give the same results as a list in the order of use", arguments: [1, 2, 7, 40])
    func model(capacity: Int) {
        var random = SplitMix(seed: UInt64(capacity))
        var cache = LRUCache<Int, Int>(capacity: capacity)
        // The most recently used entry last.
        var model: [(key: Int, value: Int)] = []
        for step in 0..<5000 {
            let key = Int(random.next() % 50)
            let index = model.firstIndex { $0.key == key }
            switch random.next() % 5 {
            case 0, 1:
                let old = index.map { model.remove(at: $0) } ?? (model.count < capacity ? nil : model.removeFirst())
                model.append((key, step))
                #expect(cache.insert(step, for: key) == old?.value)
            case 2:
                let used = index.map { model.remove(at: $0) }
                if let used { model.append((key, used.value + 1)) }
                let changed: Int? = cache.use(key) { value in
                    value += 1
                    return value
                }
                #expect(changed == used.map { $0.value + 1 })
            case 3:
                #expect(cache.remove(key) == index.map { model.remove(at: $0).value })
            default:
                let oldest = model.isEmpty ? nil : model.removeFirst()
                #expect(cache.removeOldest()?.key == oldest?.key)
            }
            #expect(cache.count == model.count)
        }
        while let oldest = cache.removeOldest() { #expect(oldest == model.removeFirst()) }
        #expect(model.isEmpty)
    }
}
