import HTTPTypes
import Sockeye
import SockeyeCache
import SockeyeHTTP
import SockeyeTestSupport
import Testing

@Suite("A cache store in memory") struct MemoryCacheStoreTests {
    private func response(_ id: String, _ headers: Headers = [:]) throws -> CachedResponse {
        let cacheRequest = CacheRequest(
            method: .get, url: try HTTPURL("https://a.test/"), headers: headers, decodes: true)
        return CachedResponse(
            id: id, status: 200, reason: "", headers: [.vary: "Foo"], isDecoded: false, to: try #require(cacheRequest),
            requestTime: 0, responseTime: 0)
    }

    private func write(
        _ id: String, _ pieces: [Bytes], to store: CachePolicy.MemoryStore, key: String, foo: String = ""
    )
        async throws
    {
        let response = try response(id, ["Foo": foo])
        let writer = try #require(store.writer(for: response, key: key))
        for piece in pieces { try await writer.write(piece) }
        try await writer.commit()
    }

    private func text(_ id: String, in store: CachePolicy.MemoryStore, key: String) throws -> String? {
        let response = store.responses(for: key).first { $0.id == id }
        guard let response, case .pieces(let pieces) = store.body(of: response, for: key) else { return nil }
        #expect(pieces.reduce(0) { $0 + $1.count } == response.bodyLength)
        return pieces.map { String(decoding: $0, as: UTF8.self) }.joined()
    }

    @Test("a response is visible only after its commit")
    func commit() async throws {
        let store = CachePolicy.MemoryStore(limit: 1 << 20)
        let (one, two) = try (store.writer(for: response("1"), key: "k"), store.writer(for: response("2"), key: "k"))
        try await one?.write(Bytes("a"))
        try await two?.write(Bytes("b"))
        #expect(store.count == 0)
        one?.abandon()
        try await two?.commit()
        #expect(try store.count == 1 && text("2", in: store, key: "k") == "b")
    }

    @Test("the least recently used responses are evicted first, and all stored bytes are counted")
    func eviction() async throws {
        let store = CachePolicy.MemoryStore(limit: 10_000, entryLimit: 5000)
        let block = Bytes([UInt8](repeating: 1, count: 2000))
        for index in 0..<3 { try await write("\(index)", [block], to: store, key: "k\(index)") }
        #expect(try text("0", in: store, key: "k0") != nil)
        for index in 3..<5 { try await write("\(index)", [block], to: store, key: "k\(index)") }
        #expect(try text("0", in: store, key: "k0") != nil && text("1", in: store, key: "k1") == nil)
        #expect(store.byteCount <= 10_000 && store.byteCount >= 2000 * store.count)
        store.removeAll()
        #expect(store.byteCount == 0 && store.count == 0)
    }

    @Test("a response beyond the entry limit is not stored, with or without a declared length")
    func entryLimit() async throws {
        let store = CachePolicy.MemoryStore(limit: 1000, entryLimit: 3)
        let writer = try #require(try store.writer(for: response("1"), key: "k"))
        try await writer.write(Bytes("abc"))
        await #expect(throws: (any Error).self) { try await writer.write(Bytes("d")) }
        writer.abandon()
        var large = try response("2")
        large.headers[.contentLength] = "4"
        #expect(store.writer(for: large, key: "k") == nil && store.count == 0)
    }

    @Test("a response that alone exceeds the store's limit replaces its predecessor, and evicts no other response")
    func largerThanStore() async throws {
        let store = CachePolicy.MemoryStore(limit: 4000, entryLimit: 4000)
        for key in ["a", "b"] { try await write("1", [Bytes("old")], to: store, key: key) }
        try await write("2", [Bytes([UInt8](repeating: 1, count: 3900))], to: store, key: "b")
        #expect(try text("1", in: store, key: "a") == "old" && store.count == 1)
        var response = try #require(store.responses(for: "a").first)
        try await write("3", [Bytes("new")], to: store, key: "b")
        response.headers[.via] = String(repeating: "v", count: 4000)
        store.update(response, for: "a")
        #expect(try text("3", in: store, key: "b") == "new" && store.count == 1)
    }

    @Test("a newer response replaces the older one of the same variant, and a URL has at most 32 variants")
    func variants() async throws {
        let store = CachePolicy.MemoryStore(limit: 1 << 20)
        for (index, foo) in ["a", "b", "a"].enumerated() {
            try await write("\(index)", [], to: store, key: "k", foo: foo)
        }
        #expect(Set(store.responses(for: "k").map(\.id)) == ["1", "2"])
        for index in 3..<100 { try await write("\(index)", [], to: store, key: "k", foo: "\(index)") }
        #expect(store.count == 32)
    }

    @Test("an updated head is counted with its new size, and evicts other responses if necessary")
    func update() async throws {
        let store = CachePolicy.MemoryStore(limit: 4000)
        for id in ["1", "2"] { try await write(id, [Bytes("a")], to: store, key: id) }
        let before = store.byteCount
        var second = try #require(store.responses(for: "2").first)
        second.headers[.via] = String(repeating: "v", count: 100)
        store.update(second, for: "2")
        #expect(store.byteCount == before + 103 && store.responses(for: "2") == [second])
        second.headers[.via] = String(repeating: "v", count: 3000)
        store.update(second, for: "2")
        #expect(store.count == 1 && store.byteCount < 4000 && store.responses(for: "1").isEmpty)
        store.remove(second, for: "2")
        #expect(store.byteCount == 0)
    }

    @Test(
        "an updated head that claims another length does not change the counted size",
        arguments: [Int.min, 0, 1 << 62, .max])
    func claimedLength(length: Int) async throws {
        let store = CachePolicy.MemoryStore(limit: 4000)
        try await write("1", [Bytes("a")], to: store, key: "k")
        let before = store.byteCount
        var response = try #require(store.responses(for: "k").first)
        response.bodyLength = length
        store.update(response, for: "k")
        #expect(store.count == 1 && store.byteCount == before)
        store.remove(response, for: "k")
        #expect(store.byteCount == 0)
    }

    @Test("removing a key aborts the writes under that key")
    func removal() async throws {
        let store = CachePolicy.MemoryStore(limit: 1 << 20)
        let writer = try #require(try store.writer(for: response("1"), key: "k"))
        try await writer.write(Bytes("a"))
        store.removeAll(for: "k")
        try? await writer.commit()
        #expect(store.count == 0)
    }

    @Test("the stored content does not depend on the size of its pieces")
    func pieces() async throws {
        let store = CachePolicy.MemoryStore(limit: 1 << 20)
        let text = String(repeating: "0123456789", count: 5000)
        let bytes = Bytes(text)
        for size in [1, 7, 1000, 20_000, 50_000] {
            let pieces = stride(from: 0, to: bytes.count, by: size).map {
                bytes.slice($0..<min($0 + size, bytes.count))
            }
            try await write("\(size)", pieces, to: store, key: "k")
            #expect(try self.text("\(size)", in: store, key: "k") == text)
        }
        #expect(store.count == 1)
    }

    @Test("the store agrees with a model that is a dictionary", arguments: 0..<20)
    func model(seed: Int) async throws {
        var random = SplitMix(seed: UInt64(seed))
        let store = CachePolicy.MemoryStore(limit: 1 << 20)
        var model: [String: String] = [:]
        for index in 0..<200 {
            let key = "k\(random.next() % 8)"
            switch random.next() % 4 {
            case 0:
                store.removeAll(for: key)
                model[key] = nil
            case 1: #expect((store.responses(for: key).first?.id) == model[key])
            default:
                try await write("\(index)", [Bytes("a")], to: store, key: key)
                model[key] = "\(index)"
            }
            #expect(store.count == model.count)
        }
    }
}
