import Foundation
import HTTPTypes
import Sockeye
import SockeyeTesting
import Testing

@Suite(
    "httpbin: requests", .enabled(if: HTTPBinServer.isInstalled, "\(HTTPBinServer.missing)"), .timeLimit(.minutes(1)),
    .recordedAndReplayed)
struct HTTPBinRequestTests {
    let httpbin: HTTPBinServer
    let client = HTTPBinRun.client()

    init() throws {
        httpbin = try HTTPBinServer.shared.get()
    }

    @Test("the client sends the configured fields about itself")
    func describesItself() async throws {
        let echo = try await client.get(httpbin.url("/get"), as: Echo.self)
        #expect(echo.headers["Host"] == httpbin.authority)
        #expect(echo.headers["User-Agent"] == "sockeye")
        #expect(echo.headers["Accept-Encoding"]?.contains("gzip") == true)
        #expect(echo.headers["Content-Length"] == nil)
        #expect(echo.headers["Transfer-Encoding"] == nil)
        let agent = try await client.get(
            httpbin.url("/user-agent"), headers: [.userAgent: "tests/1"], as: [String: String].self)
        #expect(agent == ["user-agent": "tests/1"])
    }

    @Test("the client sends fields unchanged, repeated ones too")
    func sendsFields() async throws {
        var headers: Headers = ["X-One": "1", "x-lower": "a, b;c=\"d\""]
        headers.append("X-Two", "first")
        headers.append("X-Two", "second")
        let echo = try await client.get(httpbin.url("/headers"), headers: headers, as: [String: [String: String]].self)
        #expect(echo["headers"]?["X-One"] == "1")
        #expect(echo["headers"]?["X-Lower"] == "a, b;c=\"d\"")
        #expect(echo["headers"]?["X-Two"]?.filter { $0 != " " } == "first,second")
    }

    @Test("the client sends a body with every method that allows one", arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func sendsBodies(name: String) async throws {
        let method = try #require(HTTPRequest.Method(name))
        let text = "gr\u{FC}\u{DF}e\n" + String(repeating: "\u{1F41F}", count: 1000)
        let path = "/" + name.lowercased()
        for body in [OutgoingRequest.Body.string(text), .stream(Pieces(cutting: Bytes(text)), length: text.utf8.count)]
        {
            let response = try await client.request(
                method, httpbin.url(path), .body(body), headers: [.contentType: "text/plain; charset=utf-8"])
            let echo = try await response.json(Echo.self)
            #expect(echo.data == text)
            #expect(echo.headers["Content-Length"] == String(text.utf8.count))
        }
    }

    @Test("the client sends a body of unknown length in chunks")
    func sendsChunked() async throws {
        let text = String(repeating: "0123456789", count: 20_000)
        let response = try await client.post(
            httpbin.url("/post"),
            .stream(Pieces(cutting: Bytes(text))), headers: [.contentType: "text/plain"])
        let echo = try await response.json(Echo.self)
        #expect(echo.data == text)
        #expect(echo.headers["Transfer-Encoding"] == "chunked")
        #expect(echo.headers["Content-Length"] == nil)
    }

    @Test("the client sends binary bodies unchanged")
    func sendsBinary() async throws {
        let content = TestPattern.bytes(at: 0, upTo: 10_000)
        let response = try await client.post(
            httpbin.url("/post"), .bytes(content), headers: [.contentType: "application/octet-stream"])
        let echo = try await response.json(Echo.self)
        let prefix = "data:application/octet-stream;base64,"
        let data = try #require(echo.data)
        #expect(data.hasPrefix(prefix))
        #expect(Data(base64Encoded: String(data.dropFirst(prefix.count))) == Data(content))
    }

    @Test("the client sends JSON")
    func sendsJSON() async throws {
        struct Echoed: Decodable { let json: [String: [Int]] }
        let echo = try await client.post(httpbin.url("/post"), .json(["a": [1, 2, 3]]), as: Echoed.self)
        #expect(echo.json == ["a": [1, 2, 3]])
    }

    @Test("the client sends forms")
    func sendsForm() async throws {
        let response = try await client.post(
            httpbin.url("/post"),
            .body("user=ada&role=x&role=y&note=a%20b%26c"), headers: [.contentType: "application/x-www-form-urlencoded"]
        )
        let echo = try await response.json(Echo.self)
        #expect(echo.form == ["user": "ada", "role": ["x", "y"], "note": "a b&c"])
    }

    @Test("the client encodes query parameters so that the server reads them back")
    func sendsQuery() async throws {
        let query: RequestParameters = [
            "plain": "value", "space": "a b", "plus": "1+1=2", "amp": "x&y", "percent": "100%",
            "unicode": "\u{FC}\u{1F41F}",
            "list": ["1", "2"], "nested": ["key": "v"], "empty": "", "path": "a/b?c#d",
        ]
        let echo = try await client.get(httpbin.url("/anything/some%2Fthing?first=1"), query: query, as: Echo.self)
        #expect(
            echo.args == [
                "first": "1", "plain": "value", "space": "a b", "plus": "1+1=2", "amp": "x&y", "percent": "100%",
                "unicode": "\u{FC}\u{1F41F}", "list": ["1", "2"], "nested[key]": "v", "empty": "", "path": "a/b?c#d",
            ])
        #expect(echo.method == "GET")
    }

    @Test(
        "httpbin accepts the credentials of the URL, and no request without them",
        arguments: [("ada", "secret"), ("a%40b", "p%3Aw%20d")])
    func sendsCredentials(user: String, password: String) async throws {
        let path = "/basic-auth/\(user)/\(password)"
        let response = try await client.get("http://\(user):\(password)@\(httpbin.authority)\(path)")
        #expect(response.status == .ok)
        #expect(!response.url.description.contains("@"))
        #expect(try await client.get(httpbin.url(path)).status == .unauthorized)
    }

    @Test(
        "the client sends OPTIONS, TRACE and the unregistered method PURGE", arguments: ["OPTIONS", "TRACE", "PURGE"])
    func speaksOtherMethods(name: String) async throws {
        let method = try #require(HTTPRequest.Method(name))
        let response = try await client.request(method, httpbin.url("/anything"))
        #expect([200, 405].contains(response.status.code))
        _ = try await response.bytes()
    }
}
