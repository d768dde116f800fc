import HTTPTypes
import Sockeye
import Testing

@Suite(
    "httpbin: redirects, cookies and retries", .enabled(if: HTTPBinServer.isInstalled, "\(HTTPBinServer.missing)"),
    .timeLimit(.minutes(1)), .recordedAndReplayed)
struct HTTPBinPolicyTests {
    private struct Cookies: Decodable {
        let cookies: [String: String]
    }

    private struct Sent: Decodable {
        let method: String?
        let url: String
        let data: String?
    }

    let httpbin: HTTPBinServer

    init() throws {
        httpbin = try HTTPBinServer.shared.get()
    }

    @Test(
        "redirects are followed, even ten in a row",
        arguments: [
            ("redirect/1", 1), ("redirect/10", 10), ("redirect/5?absolute=true", 5), ("relative-redirect/1", 1),
            ("relative-redirect/10", 10), ("absolute-redirect/1", 1), ("absolute-redirect/10", 10),
            ("redirect-to?url=get&status_code=308", 1), ("redirect-to?url=%2Frelative-redirect%2F9", 10),
        ])
    func redirects(path: String, count: Int) async throws {
        let response = try await HTTPBinRun.client().get(httpbin.url("/\(path)"))
        #expect(response.status == .ok)
        #expect(response.history.map(\.reason) == Array(repeating: .redirected, count: count))
        #expect(try await response.json(Sent.self).url.hasSuffix("/get"))
    }

    @Test(
        "one redirect too many is an error", arguments: ["redirect/11", "relative-redirect/11", "absolute-redirect/11"])
    func tooMany(path: String) async throws {
        let error = await #expect(throws: SockeyeError.self) {
            try await HTTPBinRun.client().get(httpbin.url("/\(path)"))
        }
        #expect(error?.code == .limitExceeded && error?.history.count == 10)
    }

    /// RFC 9110 15.4: 303 changes every method except HEAD to GET, 301 and 302 change only POST, and 307 and 308 change
    /// none.
    @Test(
        "a redirect keeps or changes the method as its status says", arguments: [301, 302, 303, 307, 308],
        ["GET", "POST", "PUT", "PATCH", "DELETE"])
    func methods(status: Int, name: String) async throws {
        let method = try #require(HTTPRequest.Method(name))
        let url = httpbin.url("/redirect-to?url=anything&status_code=\(status)")
        let body: OutgoingRequest.Body = method == .get ? .none : "text"
        let response = try await HTTPBinRun.client().request(method, url, .body(body))
        #expect(response.history.map(\.status?.code) == [status] && response.history.map(\.method) == [method])
        let sent = try await response.json(Sent.self)
        let isKept = status >= 307 || (status < 303 && method != .post) || method == .get
        #expect(sent.method == (isKept ? name : "GET"))
        #expect(sent.data == (isKept && method != .get ? "text" : ""))
    }

    @Test("HEAD stays HEAD across redirects", arguments: [301, 302, 303, 307, 308])
    func head(status: Int) async throws {
        let response = try await HTTPBinRun.client().head(httpbin.url("/redirect-to?url=get&status_code=\(status)"))
        #expect(response.status == .ok && response.history.count == 1)
        #expect(try await response.bytes().isEmpty)
    }

    @Test("300, 304, 305 and 306 are not followed, whatever Location says", arguments: [300, 304, 305, 306])
    func notFollowed(status: Int) async throws {
        let response = try await HTTPBinRun.client().get(httpbin.url("/redirect-to?url=get&status_code=\(status)"))
        #expect(response.status.code == status && response.history.isEmpty && response[.location] == "get")
    }

    @Test("the caller's credentials and cookies are sent only to their origin", arguments: [301, 307])
    func leavesOrigin(status: Int) async throws {
        let other = httpbin.url("/headers").replacing("127.0.0.1", with: "localhost")
        let headers: Headers = [.authorization: "Bearer secret", .cookie: "a=secret", "X-Own": "kept"]
        for (target, stays) in [("/headers", true), (other, false)] {
            let url = httpbin.url("/redirect-to?url=\(target)&status_code=\(status)")
            let seen = try await HTTPBinRun.client().get(url, headers: headers).json([String: [String: String]].self)[
                "headers"]
            #expect(seen?["X-Own"] == "kept")
            #expect((seen?["Authorization"] != nil) == stays && (seen?["Cookie"] != nil) == stays)
        }
    }

    @Test("cookies that redirects set are sent and deleted")
    func cookies() async throws {
        let jar = CookiePolicy.Jar()
        let client = HTTPBinRun.client().adding(.cookies(jar))
        let set = try await client.get(httpbin.url("/cookies/set?a=1&b=2")).json(Cookies.self)
        #expect(set.cookies == ["a": "1", "b": "2"])
        #expect(jar.count == 2)
        let changed = try await client.get(httpbin.url("/cookies/set/a/3")).json(Cookies.self)
        #expect(changed.cookies == ["a": "3", "b": "2"])
        #expect(try await client.get(httpbin.url("/cookies")).json(Cookies.self).cookies == ["a": "3", "b": "2"])
        let deleted = try await client.get(httpbin.url("/cookies/delete?a")).json(Cookies.self)
        #expect(deleted.cookies == ["b": "2"])
        var options = OutgoingRequest.Options()
        options.handlesCookies = false
        let without = try await client.get(httpbin.url("/cookies"), options: options).json(Cookies.self)
        #expect(without.cookies.isEmpty)
        let own = try await HTTPBinRun.client().get(httpbin.url("/cookies"), headers: [.cookie: "by=hand"]).json(
            Cookies.self)
        #expect(own.cookies == ["by": "hand"])
    }

    @Test(
        "a GET with a transient status is repeated as often as the policy allows, and a POST is not",
        arguments: [429, 500, 503])
    func retries(status: Int) async throws {
        let client = HTTPBinRun.client().adding(.retry(max: 2, backoff: .none))
        let response = try await client.get(httpbin.url("/status/\(status)"))
        #expect(response.status.code == status && response.history.count == 2)
        #expect(try await client.post(httpbin.url("/status/\(status)"), .body("x")).history.isEmpty)
    }
}
