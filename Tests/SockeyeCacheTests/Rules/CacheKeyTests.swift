import HTTPTypes
import Testing

@testable import SockeyeCache
@testable import SockeyeHTTP

@Suite("The requests that a stored response answers") struct CacheKeyTests {
    private let url = "https://a.test/x"

    @Test("the key contains the query, but neither user information nor fragment")
    func keys() throws {
        #expect(try CacheScene.cacheRequest(.get, "https://u:p@a.test/x?q#f").key == "https://a.test/x?q")
    }

    @Test(
        "a response to a request with other credentials never matches, whatever Vary says",
        arguments: [
            [.authorization: "Basic YQ=="], [.cookie: "a=1"], ["X-API-Key": "k"], [.host: "b.test"],
            [.acceptEncoding: "br"], [.cookie: "a=1", .authorization: "Basic YQ=="],
        ] as [Headers])
    func credentials(headers: Headers) throws {
        let plain = try CacheScene.cacheRequest()
        let other = try CacheScene.cacheRequest(.get, url, headers)
        #expect(other.partition != plain.partition && other.partition.count == 64)
        #expect(!other.selects(try CacheScene.stored(to: plain).derived))
        #expect(!plain.selects(try CacheScene.stored(to: other).derived))
        #expect(other.selects(try CacheScene.stored(to: other).derived))
    }

    @Test("different users, separators and cookies give different partitions, even if one value looks like two")
    func separators() throws {
        let all = try [
            CacheScene.cacheRequest(), CacheScene.cacheRequest(.get, "https://u@a.test/x"),
            CacheScene.cacheRequest(.get, "https://u:p@a.test/x"), CacheScene.cacheRequest(separators: ["p"]),
            CacheScene.cacheRequest(separators: ["p", "q"]), CacheScene.cacheRequest(separators: ["p\npartition 1 q"]),
            CacheScene.cacheRequest(.get, url, [.cookie: "a", "Cookie2": "b"]),
            CacheScene.cacheRequest(.get, url, [.cookie: "a\nCookie2 1 b"]),
        ]
        #expect(Set(all.map(\.partition)).count == all.count)
    }

    @Test("stored content is not served if it is decoded and the request wants it coded, or the reverse")
    func codings() throws {
        let (decoding, raw) = try (CacheScene.cacheRequest(), CacheScene.cacheRequest(decodes: false))
        #expect(!raw.selects(try CacheScene.stored(isDecoded: true, to: decoding).derived))
        #expect(!decoding.selects(try CacheScene.stored(["Content-Encoding": "gzip"], to: raw).derived))
        #expect(raw.selects(try CacheScene.stored(to: decoding).derived))
        #expect(!raw.selects(try CacheScene.stored(["Vary": "accept-encoding"], to: decoding).derived))
    }

    @Test(
        "Vary compares lists member by member and byte by byte, and * matches nothing",
        arguments: [
            ("Foo", ["1"], ["1"], true), ("Foo", ["1"], ["2"], false), ("Foo", ["1"], [], false),
            ("Foo", [], ["1"], false),
            ("Foo", [], [], true), ("foo", ["1, 2"], ["1", "2"], true), ("FOO", ["1,2"], [" 1 ,  2"], true),
            ("Foo", ["1, 2"], ["2, 1"], false), ("*", ["1"], ["1"], false), ("Foo, *", ["1"], ["1"], false),
            (", *", [], [], false), ("Bar", ["1"], ["2"], true), ("Foo", ["\"a,b\""], ["\"a, b\""], false),
            ("Foo", ["\u{E9}"], ["\u{E9}"], true), ("Foo", ["\u{E9}"], ["e\u{301}"], false),
        ] as [(String, [String], [String], Bool)])
    func vary(vary: String, stored: [String], presented: [String], matches: Bool) throws {
        func cacheRequest(_ values: [String]) throws -> CacheRequest {
            var headers = Headers()
            for value in values { headers.append("Foo", value) }
            return try CacheScene.cacheRequest(.get, url, headers)
        }
        let response = try CacheScene.stored(["Vary": vary], to: cacheRequest(stored))
        #expect(try cacheRequest(presented).selects(response.derived) == matches)
    }

    @Test(
        "Vary: User-Agent compares the client's own value if the request has none",
        arguments: [
            ("a/1", nil, "a/1", nil, true), ("a/1", nil, "b/1", nil, false), ("a/1", nil, nil, nil, false),
            ("a/1", nil, "b/1", "a/1", true), ("a/1", "b/1", "a/1", nil, false), (nil, nil, nil, nil, true),
        ] as [(String?, String?, String?, String?, Bool)])
    func userAgents(own: String?, field: String?, otherOwn: String?, otherField: String?, matches: Bool) throws {
        func cacheRequest(_ own: String?, _ field: String?) throws -> CacheRequest {
            try CacheScene.cacheRequest(
                .get, url, field.map { [.userAgent: $0] } ?? [:], userAgent: own)
        }
        let response = try CacheScene.stored(["Vary": "User-Agent"], to: cacheRequest(own, field))
        #expect(try cacheRequest(otherOwn, otherField).selects(response.derived) == matches)
    }

    @Test("a Vary with 20,000 names matches nothing and takes little time")
    func longVary() throws {
        let names = (0..<20_000).map { "n\($0)" }.joined(separator: ",")
        let stored = try CacheScene.stored(["Cache-Control": "max-age=60", "Vary": names])
        #expect(try !CacheScene.cacheRequest().selects(stored.derived))
        #expect(stored.derived.refusal(to: try CacheScene.cacheRequest()) == .vary)
    }

    @Test("implausible responses from a store are not selected")
    func implausible() throws {
        let cacheRequest = try CacheScene.cacheRequest()
        for status in [0, 100, 206, 304, 600] {
            #expect(!cacheRequest.selects(try CacheScene.stored(status: status).derived))
        }
        #expect(!cacheRequest.selects(try CacheScene.stored(length: -1).derived))
        var stored = try CacheScene.stored(["Vary": "Foo"])
        stored.selectingFields["bar"] = "1"
        #expect(!cacheRequest.selects(stored.derived))
    }

    @Test("an unsafe method invalidates its target and the URLs that its response names at the same origin")
    func invalidation() throws {
        let fields: Headers = [.location: "/new", .contentLocation: "https://b.test/x"]
        #expect(
            try CacheScene.cacheRequest(.post).invalidatedKeys(status: 201, headers: fields) == [
                url, "https://a.test/new",
            ])
        #expect(try CacheScene.cacheRequest(.post).invalidatedKeys(status: 500, headers: fields) == [])
        #expect(try CacheScene.cacheRequest(.delete).invalidatedKeys(status: nil, headers: [:]) == [url])
        #expect(try CacheScene.cacheRequest(.get).invalidatedKeys(status: 200, headers: fields) == [])
        #expect(try CacheScene.cacheRequest(.init("FOO")!).invalidatedKeys(status: 200, headers: [:]) == [url])
    }

    @Test("no digest is computed for a request with an unsafe method, so it invalidates even if OpenSSL has no SHA-256")
    func invalidationWithoutDigest() throws {
        let fields: Headers = [.authorization: "Bearer a", "X-Tenant": "b"]
        for (method, hasDigest) in [(HTTPRequest.Method.post, false), (.delete, false), (.get, true), (.head, true)] {
            let cacheRequest = try CacheScene.cacheRequest(method, url, fields, separators: ["c"])
            #expect(cacheRequest.partition.isEmpty != hasDigest)
            #expect(cacheRequest.partition(isPrivate: true).isEmpty != hasDigest)
        }
    }
}
