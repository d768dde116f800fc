import HTTPTypes
import Sockeye
import Testing

@Suite(
    "httpbin: redirects, cookies and retries", .enabled(if: HTTPBinServer.isInstalled, "\(HTTPBinServer.missing)"),
    .timeLimit(.minutes(1)))
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
        "redirects are followed, ten of them too",
        arguments: ["redirect/10", "relative-redirect/3", "absolute-redirect/3", "redirect-to?url=get&status_code=308"])
    func redirects(path: String) async throws {
        let response = try await HTTPClient().get(httpbin.url("/\(path)"))
        #expect(response.status == .ok)
        #expect(response.history.allSatisfy { $0.reason == .redirected } && !response.history.isEmpty)
        #expect(try await response.json(Sent.self).url.hasSuffix("/get"))
    }

    @Test("one redirect too many is an error")
    func tooMany() async throws {
        let error = await #expect(throws: SockeyeError.self) { try await HTTPClient().get(httpbin.url("/redirect/11")) }
        #expect(error?.code == .limitExceeded && error?.history.count == 10)
    }

    @Test(
        "a POST stays one after 307 and 308, and becomes a GET after the others",
        arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func methods(status: Int, method: String) async throws {
        let url = httpbin.url("/redirect-to?url=anything&status_code=\(status)")
        let sent = try await HTTPClient().post(url, body: "text").json(Sent.self)
        #expect(sent.method == method)
        #expect(sent.data == (method == "POST" ? "text" : ""))
    }

    @Test("cookies are set by redirects, sent, and deleted")
    func cookies() async throws {
        let jar = CookieJar()
        let client = HTTPClient().adding(.cookies(jar))
        let set = try await client.get(httpbin.url("/cookies/set?a=1&b=2")).json(Cookies.self)
        #expect(set.cookies == ["a": "1", "b": "2"])
        #expect(jar.count == 2)
        let changed = try await client.get(httpbin.url("/cookies/set/a/3")).json(Cookies.self)
        #expect(changed.cookies == ["a": "3", "b": "2"])
        let deleted = try await client.get(httpbin.url("/cookies/delete?a")).json(Cookies.self)
        #expect(deleted.cookies == ["b": "2"])
        var options = RequestOptions()
        options.handlesCookies = false
        let without = try await client.get(httpbin.url("/cookies"), options: options).json(Cookies.self)
        #expect(without.cookies.isEmpty)
    }

    @Test("a status that says to come again is asked for again, as often as allowed", arguments: [429, 500, 503])
    func retries(status: Int) async throws {
        let client = HTTPClient().adding(.retry(max: 2, backoff: .none))
        let response = try await client.get(httpbin.url("/status/\(status)"))
        #expect(response.status.code == status && response.history.count == 2)
        #expect(try await client.post(httpbin.url("/status/\(status)"), body: "x").history.isEmpty)
    }
}
