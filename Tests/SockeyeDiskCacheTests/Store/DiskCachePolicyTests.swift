#if DiskCache
import Foundation
import Glibc
import Sockeye
@testable import SockeyeCache
import SockeyeDiskCache
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("A client whose cache is on disk", .timeLimit(.minutes(1))) struct DiskCachePolicyTests {
    private let scene: DiskCacheScene
    private let mock = MockTransport()

    init() throws {
        scene = try DiskCacheScene()
    }

    private func withClient<Value>(
        _ change: (inout CachePolicy) -> Void = { _ in }, _ body: (HTTPClient, DiskCacheStore) async throws -> Value
    ) async throws -> Value {
        let store = try scene.open()
        var policy = CachePolicy(store)
        change(&policy)
        let value = try await body(HTTPClient(transport: mock).adding(.cache(policy)), store)
        await store.close()
        return value
    }

    @Test("answers to different credentials, cookies, keys and partitions never mix, even after a restart")
    func separation() async throws {
        let users: [Headers] = [
            [:], [.authorization: "Bearer a"], [.authorization: "Bearer b"], [.cookie: "s=1"], [.cookie: "s=2"],
            ["X-API-Key": "k"], [.host: "b.test"],
        ]
        mock.answer(.get, "/x") { request in
            let names: [Headers.Name] = [.authorization, .cookie, "X-API-Key", .host]
            let text = names.map { request[$0] ?? "" }.joined(separator: "|")
            return .ok(text + String(repeating: ".", count: 100_000), headers: [.cacheControl: "public, max-age=60"])
        }
        var texts: [String] = []
        for round in 0..<2 {
            try await withClient { client, store in
                for (index, user) in users.enumerated() {
                    let response = try await client.get("https://a.test/x", headers: user)
                    let text = try await response.text()
                    if round == 0 { texts.append(text) } else { #expect(text == texts[index]) }
                    #expect(response.cacheOutcome?.kind == (round == 0 ? .miss : .hit))
                }
                #expect(store.count == users.count)
                let other = HTTPClient(transport: mock).adding(.cache(store, partition: "other"))
                #expect(try await other.get("https://a.test/x").cacheOutcome?.kind == .miss)
                try await store.remove(
                    #require(try await store.responses(for: "https://a.test/x").last), for: "https://a.test/x")
            }
        }
        #expect(Set(texts).count == users.count && mock.requests.count == users.count + 2)
    }

    @Test("no file of the store contains a credential")
    func secrets() async throws {
        mock.answer(.get, "*") { _ in
            .ok("public", headers: [.cacheControl: "max-age=60", .vary: "Authorization, Cookie"])
        }
        try await withClient { client, _ in
            _ = try await client.get(
                "https://user:pa55word@a.test/x", headers: [.cookie: "session=53cr37", "X-API-Key": "70k3n"])
        }
        for name in try FileManager.default.subpathsOfDirectory(atPath: scene.folder) {
            guard let content = try? Data(contentsOf: URL(filePath: scene.folder + "/" + name)) else { continue }
            for secret in ["pa55word", "53cr37", "70k3n"] {
                #expect(content.range(of: Data(secret.utf8)) == nil, "\(name)")
            }
        }
    }

    @Test("if the file of a stored body was changed, the client requests the response again and stores the new body")
    func poisoned() async throws {
        mock.answer(.get, "/x") { _ in
            .ok(String(repeating: "honest ", count: 100_000), headers: [.cacheControl: "max-age=60"])
        }
        let first = try await withClient { client, _ in try await client.get("https://a.test/x").text() }
        let path = try #require(scene.bodies.first)
        try Data(String(repeating: "poison ", count: 100_000).utf8 + [UInt8](repeating: 0, count: 96)).write(
            to: URL(filePath: path))
        try await withClient { client, _ in
            for kind in [CachePolicy.Outcome.Kind.miss, .hit] {
                let response = try await client.get("https://a.test/x")
                #expect(try await response.text() == first && response.cacheOutcome?.kind == kind)
            }
        }
        #expect(mock.requests.count == 2 && scene.bodies.count == 1 && scene.bodies != [path])
    }

    @Test("a request for a range of a stored body gets exactly the bytes of the range")
    func ranges() async throws {
        let text = (0..<100_000).map(String.init).joined(separator: " ")
        mock.answer(.get, "/x") { _ in .ok(text, headers: [.cacheControl: "max-age=60"]) }
        try await withClient { client, _ in
            _ = try await client.get("https://a.test/x").text()
            for (first, last) in [(0, 0), (262_143, 262_144), (100, 524_289), (588_880, 588_888)] {
                let part = try await client.get("https://a.test/x", headers: [.range: "bytes=\(first)-\(last)"])
                let expected = String(decoding: Array(text.utf8)[first...last], as: UTF8.self)
                #expect(try await part.text() == expected && part.status == .partialContent)
            }
        }
        #expect(mock.requests.count == 1)
    }

    @Test("a body that breaks off or is not read to its end is not stored", arguments: [true, false])
    func brokenOff(stops: Bool) async throws {
        mock.answer(.get, "/x") { _ in
            let stream = AsyncThrowingStream<[UInt8], any Error> { continuation in
                for _ in 0..<20 { continuation.yield([UInt8](repeating: 1, count: 50_000)) }
                continuation.finish(throwing: stops ? nil : CancellationError())
            }
            return .stream(stream, headers: [.cacheControl: "max-age=60"])
        }
        try await withClient { client, store in
            do {
                let response = try await client.get("https://a.test/x")
                var body = response.body.makeAsyncIterator()
                for _ in 0..<(stops ? 10 : 30) where try await body.next() == nil { break }
                #expect(stops)
            } catch {
                #expect(!stops)
            }
            #expect(store.count == 0)
        }
        await eventually("an empty folder") { scene.bodies.isEmpty }
    }
}
#endif
