import HTTPTypes
import Testing

@testable import SockeyeCache
@testable import SockeyeHTTP

@Suite("The users that share a stored response") struct CachePartitionTests {
    private let url = "https://a.test/x"

    private func cacheRequest(_ headers: Headers, secretFields: Set<Headers.Name> = []) throws -> CacheRequest {
        let cacheRequest = CacheRequest(
            method: .get, url: try HTTPURL(url), headers: headers, decodes: true, secretFields: secretFields)
        return try #require(cacheRequest)
    }

    @Test(
        "a private response is not served to a request that differs in a field which may identify the user",
        arguments: [
            "X-Tenant", "X-Forwarded-For", "X-Member", "Client-Id", "From", "Ocp-Apim-Subscription-Key",
            "X-Session-Token",
        ])
    func unusualFields(name: String) throws {
        let field = Headers.Name(name)
        let users = try [cacheRequest([field: "a"]), cacheRequest([field: "b"]), cacheRequest([:])]
        for one in users {
            let stored = try CacheScene.stored(["Cache-Control": "private, max-age=60"], to: one).derived
            #expect(one.selects(stored) && users.filter { $0.selects(stored) }.count == 1)
        }
    }

    @Test("a private response is served to a request that differs in fields which say nothing about the user")
    func usualFields() throws {
        let (one, other) = try (
            cacheRequest([
                .userAgent: "a", "Traceparent": "1", "X-Request-ID": "1", .accept: "text/html", "X-Tenant": "t",
            ]),
            cacheRequest([
                "x-tenant": "t", .userAgent: "b", "traceparent": "2", "X-Request-ID": "2", .range: "bytes=0-1",
            ])
        )
        let stored = try CacheScene.stored(["Cache-Control": "private, max-age=60"], to: one).derived
        #expect(other.selects(stored))
    }

    @Test("a response without private is served to a request that differs in a field, unless the field is secret")
    func commonResponses() throws {
        let stored = try CacheScene.stored(["Cache-Control": "max-age=60"], to: cacheRequest(["X-Tenant": "a"])).derived
        #expect(try cacheRequest(["X-Tenant": "b"]).selects(stored))
        #expect(try !cacheRequest(["X-Tenant": "a", "X-Session-Token": "b"]).selects(stored))
        #expect(try !cacheRequest(["X-Tenant": "a"], secretFields: ["X-Tenant"]).selects(stored))
    }

    @Test("a field that the client declares secret separates users, even if Vary names it, and its value is not stored")
    func clientsList() throws {
        let users = try ["a", "b"].map { try cacheRequest(["X-Mine": $0], secretFields: ["x-mine"]) }
        let stored = try CacheScene.stored(["Cache-Control": "max-age=60", "Vary": "X-Mine"], to: users[0])
        #expect(users[0].selects(stored.derived) && !users[1].selects(stored.derived))
        #expect(stored.selectingFields.isEmpty)
    }

    @Test(
        "a field that usually does not identify the user separates users if the client declares it secret",
        arguments: ["X-Requested-With", "Referer", "Prefer", "Accept-Language", "Baggage"],
        ["max-age=60", "private, max-age=60"])
    func secretUsualField(name: String, directives: String) throws {
        let field = Headers.Name(name)
        let fields: [Headers] = [[field: "a"], [field: "b"], [:]]
        let requests = try fields.map { try cacheRequest($0, secretFields: [field]) }
        for one in requests {
            let stored = try CacheScene.stored(["Cache-Control": directives, "Vary": name], to: one)
            #expect(one.selects(stored.derived) && stored.selectingFields.isEmpty)
            #expect(requests.filter { $0.selects(stored.derived) }.count == 1)
        }
    }

    @Test("a response with Vary is not served to a request without the named field if its client declares it secret")
    func secretOfOneClient() throws {
        let sent = try cacheRequest(["X-Tenant": "a"])
        let stored = try CacheScene.stored(["Cache-Control": "max-age=60", "Vary": "X-Tenant"], to: sent).derived
        #expect(sent.selects(stored))
        #expect(try !cacheRequest([:], secretFields: ["X-Tenant"]).selects(stored))
    }

    @Test("a 304 that makes a response private binds it to the user")
    func becomingPrivate() throws {
        let users = try [cacheRequest(["X-Tenant": "a"]), cacheRequest(["X-Tenant": "b"])]
        let stored = try CacheScene.stored(["Cache-Control": "max-age=60"], to: users[0])
        #expect(users[1].selects(stored.derived))
        let updated = stored.updated(
            with: [.cacheControl: "private, max-age=60"], to: users[0], requestTime: 0, responseTime: 0)
        #expect(users[0].selects(updated.derived) && !users[1].selects(updated.derived))
    }

    @Test(
        "a Vary with a member that is not a field name matches nothing, like *",
        arguments: [
            ("Foo Bar", false), ("\"Foo\"", false), ("Foo;q=1", false), ("Foo, B@r", false), ("Foo/*", false),
            ("Foo,, Bar,", true), ("", true),
        ])
    func invalidVary(vary: String, isUsable: Bool) throws {
        let stored = try CacheScene.stored(["Cache-Control": "max-age=60", "Vary": vary]).derived
        #expect(try CacheScene.cacheRequest().selects(stored) == isUsable)
        #expect(stored.refusal(to: try CacheScene.cacheRequest()) == (isUsable ? nil : .vary))
    }

    @Test("the head of a served response has no Set-Cookie except those of the 304 that confirmed it")
    func cookies() throws {
        let stored = try CacheScene.stored(["Set-Cookie": "a=1", "X-A": "1"]).derived
        let head = StoredHead(stored, age: 0, part: nil)
        #expect(head.values(of: .setCookie).isEmpty)
        #expect(head.makeFields().map(\.name.lowercased).sorted() == ["age", "date", "x-a"])
        let confirmed = StoredHead(
            stored, age: 0, part: nil, cookies: ["c=1"])
        #expect(confirmed.values(of: .setCookie) == ["c=1"] && confirmed.makeFields()[values: .setCookie] == ["c=1"])
    }
}
