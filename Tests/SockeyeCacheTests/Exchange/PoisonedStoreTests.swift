import Foundation
import Sockeye
import SockeyeCache
import SockeyeTesting
import Testing

/// A store that others can write to, with values that no peer could have sent.
@Suite("A cache with a poisoned store", .timeLimit(.minutes(1))) struct PoisonedStoreTests {
    private let fixture = CacheFixture()

    @Test(
        "an invalid validator from the store is not sent, and the full response is requested",
        arguments: [#"1\r\nX-Evil: 1"#, #"1\u0000"#, #"1\n"#])
    func validators(tag: String) async throws {
        let store = RewritingStore(replacing: "marker", by: tag)
        fixture.mock.answer(.get, "/x") { _ in CacheFixture.answer("a", "max-age=0", [.eTag: "\"marker\""]) }
        let client = fixture.client(over: fixture.mock, with: CachePolicy(store))
        for _ in 0..<2 { #expect(try await client.get(fixture.url).text() == "a") }
        #expect(fixture.mock.requests.map { $0[.ifNoneMatch] } == [nil, nil])
    }
}

/// A store that replaces one text in the encoded heads.
private struct RewritingStore: CachePolicy.Store {
    private let store = CachePolicy.MemoryStore(limit: 1 << 20)
    private let old: String
    private let new: String

    init(replacing old: String, by new: String) {
        (self.old, self.new) = (old, new)
    }

    func responses(for key: String) async throws -> [CachedResponse] {
        try store.responses(for: key).map { response in
            let text = String(decoding: try JSONEncoder().encode(response), as: UTF8.self)
            let changed = text.replacing(old, with: new)
            #expect(changed != text)
            return try JSONDecoder().decode(CachedResponse.self, from: Data(changed.utf8))
        }
    }

    func body(of response: CachedResponse, for key: String) async throws -> CachedResponse.Body? {
        store.body(of: response, for: key)
    }

    func writer(for response: CachedResponse, key: String) async throws -> (any CachePolicy.Writer)? {
        store.writer(for: response, key: key)
    }

    func update(_ response: CachedResponse, for key: String) async throws { store.update(response, for: key) }
    func remove(_ response: CachedResponse, for key: String) async throws { store.remove(response, for: key) }
    func removeAll(for key: String) async throws { store.removeAll(for: key) }
}
