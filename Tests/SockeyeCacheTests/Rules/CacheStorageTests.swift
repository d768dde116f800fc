import HTTPTypes
import SockeyeEngine
import Testing

@testable import SockeyeCache
@testable import SockeyeHTTP

@Suite("Storage and updates of responses") struct CacheStorageTests {
    @Test(
        "the fields and the status of a response decide if it is stored",
        arguments: [
            (["Cache-Control": "max-age=60"], 200, nil), (["Cache-Control": "private, max-age=60"], 200, nil),
            (["Cache-Control": "max-age=60"], 599, nil), (["ETag": "\"1\""], 200, nil),
            (["ETag": "\"1\""], 201, .notCacheable),
            (["ETag": "\"1\"", "Cache-Control": "public"], 201, nil), ([:], 200, nil), ([:], 201, .notCacheable),
            (["Cache-Control": "max-age=0"], 200, .notCacheable), (["Cache-Control": "no-cache"], 200, .notCacheable),
            (["Cache-Control": "no-cache", "ETag": "\"1\""], 200, nil),
            (["Cache-Control": "max-age=60, no-store"], 200, .noStore),
            (["Cache-Control": "max-age=60, no-store, must-understand"], 200, nil),
            (["Cache-Control": "max-age=60, no-store, must-understand"], 599, .status),
            (["Cache-Control": "max-age=60"], 206, .status), (["Cache-Control": "max-age=60"], 304, .status),
            (["Cache-Control": "max-age=60", "Vary": "*"], 200, .vary),
            (["Cache-Control": "max-age=60"], 401, .status), (["Cache-Control": "max-age=60"], 407, .status),
            (["Cache-Control": "max-age=60"], 429, .status), (["Cache-Control": "max-age=60"], 511, .status),
            (["Cache-Control": "max-age=60", "X-Long": String(repeating: "a", count: 70_000)], 200, .tooLarge),
        ] as [([String: String], Int, CacheReason?)])
    func storability(fields: [String: String], status: Int, refusal: CacheReason?) throws {
        #expect(try CacheScene.stored(fields, status: status).derived.refusal(to: CacheScene.cacheRequest()) == refusal)
    }

    @Test(
        "a call whose mode serves stale responses stores responses that are never fresh",
        arguments: [
            (CachedResponse.Mode.useProtocol, false), (.reloadIgnoringCache, false), (.reloadRevalidatingCache, false),
            (.returnCacheElseLoad, true), (.returnCacheDontLoad, true),
        ])
    func usesOfStale(use: CachedResponse.Mode, isStored: Bool) throws {
        for directives in ["max-age=0", "no-cache"] {
            let stored = try CacheScene.stored(["Cache-Control": directives]).derived
            #expect((stored.refusal(to: try CacheScene.cacheRequest(), use: use) == nil) == isStored)
        }
    }

    @Test(
        "no-store in a request and methods other than GET prevent storing, and Authorization does not"
    )
    func requests() throws {
        let stored = try CacheScene.stored(["Cache-Control": "max-age=60"]).derived
        let url = "https://a.test/x"
        #expect(
            stored.refusal(to: try CacheScene.cacheRequest(.get, url, [.cacheControl: "no-store"])) == .requestNoStore)
        #expect(stored.refusal(to: try CacheScene.cacheRequest(.head)) == .requestNoStore)
        #expect(stored.refusal(to: try CacheScene.cacheRequest(.get, url, [.authorization: "Bearer t"])) == nil)
    }

    @Test(
        "a response about the range or condition of one caller is not stored for others",
        arguments: [
            [.range: "bytes=900-"], [.ifNoneMatch: "\"1\""], [.ifModifiedSince: CacheScene.date(0)],
            [.ifMatch: "\"1\""], [.ifUnmodifiedSince: CacheScene.date(0)],
        ] as [Headers])
    func answersToOne(headers: Headers) throws {
        let cacheRequest = try CacheScene.cacheRequest(.get, "https://a.test/x", headers)
        for status in [404, 412, 416] {
            let stored = try CacheScene.stored(["Cache-Control": "max-age=60"], status: status, to: cacheRequest)
            #expect(stored.derived.refusal(to: cacheRequest) == .status)
        }
        let whole = try CacheScene.stored(["Cache-Control": "max-age=60"], to: cacheRequest)
        #expect(whole.derived.refusal(to: cacheRequest) == nil)
    }

    @Test("fields of the connection are not stored, and a missing Date is added")
    func fields() throws {
        let stored = try CacheScene.stored([
            "Connection": "X-Hop, close", "X-Hop": "1", "Keep-Alive": "timeout=5", "TE": "trailers",
            "Transfer-Encoding": "chunked", "Upgrade": "h2c", "Proxy-Authenticate": "Basic",
            "Proxy-Authentication-Info": "a", "Age": "5", "X-End": "2", "Set-Cookie": "a=b",
        ])
        #expect(stored.headers.map(\.name.lowercased).sorted() == ["date", "set-cookie", "x-end"])
        #expect(stored.headers[.date] == CacheScene.date(0) && stored.age == 5)
    }

    @Test("a 304 replaces the fields it has, except those that describe the stored content")
    func merging() throws {
        let stored = try CacheScene.stored([
            "Content-Length": "100", "Content-Encoding": "gzip", "X-A": "1", "X-B": "1", "Date": CacheScene.date(-5),
            "Age": "7",
        ])
        let newer: Headers = [
            .contentLength: "5", .contentEncoding: "br", "X-A": "2", "X-C": "2", .connection: "X-C",
        ]
        let updated = stored.updated(
            with: newer, to: try CacheScene.cacheRequest(), requestTime: CacheScene.start + 9,
            responseTime: CacheScene.start + 10)
        let fields = Dictionary(uniqueKeysWithValues: updated.headers.map { ($0.name.lowercased, $0.value) })
        #expect(
            fields == [
                "content-length": "100", "content-encoding": "gzip", "x-a": "2", "x-b": "1",
                "date": CacheScene.date(10),
            ])
        #expect(
            updated.age == 0 && updated.id == stored.id && updated.derived.currentAge(at: CacheScene.start + 10) == 1)
    }

    @Test(
        "a 304 that names another version confirms nothing",
        arguments: [
            (["ETag": "\"1\""], ["ETag": "\"1\""], true), (["ETag": "\"1\""], ["ETag": "\"2\""], false),
            (["ETag": "W/\"1\""], ["ETag": "W/\"1\""], true), (["ETag": "W/\"1\""], ["ETag": "\"1\""], false),
            (["ETag": "\"1\""], [:], true), ([:], ["ETag": "\"1\""], false),
            (["Last-Modified": "x"], ["Last-Modified": "x"], true),
            (["Last-Modified": "x"], ["Last-Modified": "y"], false),
            (["ETag": "\"\u{E9}\""], ["ETag": "\"e\u{301}\""], false),
            (["ETag": "W/\"\u{E9}\""], ["ETag": "W/\"e\u{301}\""], false),
        ] as [([String: String], [String: String], Bool)])
    func confirmation(stored: [String: String], newer: [String: String], isConfirmed: Bool) throws {
        let headers = try CacheScene.stored(newer).headers.filtered { $0 != .date }
        #expect(try CacheScene.stored(stored).isConfirmed(by: headers) == isConfirmed)
    }

    @Test("a response to HEAD describes the stored response of the same version and length")
    func head() throws {
        let stored = try CacheScene.stored(["ETag": "\"1\""])
        #expect(stored.isDescribed(by: [.eTag: "\"1\"", .contentLength: "100"], status: 200))
        #expect(!stored.isDescribed(by: [.eTag: "\"1\"", .contentLength: "101"], status: 200))
        #expect(!stored.isDescribed(by: [.eTag: "\"2\""], status: 200))
        #expect(!stored.isDescribed(by: [.eTag: "\"1\""], status: 404))
    }

    @Test("a newer response to the same requests replaces the older one")
    func replacing() throws {
        let url = "https://a.test/x"
        func stored(_ foo: String, _ headers: Headers = [:]) throws -> CachedResponse {
            try CacheScene.stored(
                ["Vary": "Foo"], to: CacheScene.cacheRequest(.get, url, headers.merging(["Foo": foo])))
        }
        #expect(try stored("1").replaces(stored("1")))
        #expect(try !stored("1").replaces(stored("2")))
        #expect(try stored("\u{E9}").replaces(stored("\u{E9}")))
        // The same letter as two scalars.
        #expect(try !stored("\u{E9}").replaces(stored("e\u{301}")))
        #expect(try !stored("1").replaces(stored("1", [.cookie: "a=1"])))
    }
}
