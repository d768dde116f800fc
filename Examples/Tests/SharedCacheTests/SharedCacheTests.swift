import SockeyeCache
import SockeyeTesting
import Testing

@testable import SharedCache

@Suite(
    "A cache in Valkey", .enabled(if: ValkeyServer.program != nil, ValkeyServer.missing), .timeLimit(.minutes(1)))
struct SharedCacheTests {
    private func withServer(_ body: (ValkeyServer) async throws -> Void) async throws {
        let server = try ValkeyServer()
        try await server.start()
        try await body(server)
    }

    @Test("the store keeps the promises of a cache store", arguments: CacheStoreContract.allCases)
    func contract(promise: CacheStoreContract) async throws {
        try await withServer { server in
            let store = try ValkeyCacheStore(unixSocket: server.socket)
            try await promise.check(store)
            await store.close()
        }
    }

    @Test("a machine gets responses that another machine has stored, and none that another machine has removed")
    func shared() async throws {
        try await withServer { server in
            let mock = MockTransport()
            mock.answer(.get, "/x") { _ in .ok("a", headers: ["Cache-Control": "max-age=60"]) }
            mock.answer(.post, "/x") { _ in .status(204) }
            let stores = try (0..<2).map { _ in try ValkeyCacheStore(unixSocket: server.socket) }
            let machines = stores.map { HTTPClient(transport: mock).adding(.cache($0)) }
            #expect(try await machines[0].get("https://a.test/x").text() == "a")
            let hit = try await machines[1].get("https://a.test/x")
            #expect(try await hit.text() == "a" && hit.cacheOutcome?.kind == .hit)
            _ = try await machines[1].post("https://a.test/x")
            #expect(try await machines[0].get("https://a.test/x").cacheOutcome?.kind == .miss)
            for store in stores { await store.close() }
        }
    }

    @Test("a key has at most 32 responses, however many values of a field callers send")
    func variants() async throws {
        try await withServer { server in
            let mock = MockTransport()
            mock.answer(.get, "/x") { _ in .ok("a", headers: ["Cache-Control": "max-age=60", "Vary": "Foo"]) }
            let store = try ValkeyCacheStore(unixSocket: server.socket)
            let client = HTTPClient(transport: mock).adding(.cache(store))
            for number in 1...40 {
                #expect(try await client.get("https://a.test/x", headers: ["Foo": "\(number)"]).text() == "a")
            }
            #expect(try await store.responses(for: "https://a.test/x").count == 32)
            let newest = try await client.get("https://a.test/x", headers: ["Foo": "40"])
            #expect(newest.cacheOutcome?.kind == .hit)
            await store.close()
        }
    }

    @Test(
        "a response that was being written at a removal is refused, even if the server has evicted the generations",
        arguments: [true, false])
    func evictedGeneration(hasEarlierRemoval: Bool) async throws {
        try await withServer { server in
            let store = try ValkeyCacheStore(unixSocket: server.socket)
            let head = Bytes(SharedCacheHeadTests.head)
            let response = try #require(ValkeyCacheStore.response(id: Bytes("a"), head: head))
            if hasEarlierRemoval { try await store.removeAll(for: "k") }
            let writer = try #require(try await store.writer(for: response, key: "k"))
            if hasEarlierRemoval {
                // A counter would begin again and reach the generation of the writer.
                try await server.evictAll()
                try await store.removeAll(for: "k")
            } else {
                try await store.removeAll(for: "k")
                try await server.evictAll()
            }
            try await writer.write(Bytes("content"))
            try await writer.commit()
            #expect(try await store.responses(for: "k").isEmpty)
            await store.close()
        }
    }

    @Test("while the Valkey server is down, every look-up is a miss")
    func outage() async throws {
        let mock = MockTransport()
        mock.answer(.get, "/x") { _ in .ok("a", headers: ["Cache-Control": "max-age=60"]) }
        let server = try ValkeyServer()
        try await server.start()
        let store = try ValkeyCacheStore(unixSocket: server.socket)
        let client = HTTPClient(transport: mock).adding(.cache(store))
        for kind in [CachePolicy.Outcome.Kind.miss, .hit] {
            #expect(try await client.get("https://a.test/x").cacheOutcome?.kind == kind)
        }
        server.stop()
        for _ in 0..<2 {
            let response = try await client.get("https://a.test/x")
            #expect(try await response.text() == "a" && response.cacheOutcome?.kind == .miss)
        }
        await store.close()
    }
}
