import Sockeye
import SockeyeTesting
import Testing

@Suite("Cookies of clients", .timeLimit(.minutes(1))) struct CookiePolicyTests {
    private let mock = MockTransport()
    private let jar = CookiePolicy.Jar()

    private var client: HTTPClient { HTTPClient(transport: mock).adding(.cookies(jar)) }

    private func response(_ status: HTTPResponse.Status = .ok, setting cookies: String..., location: String? = nil)
        -> TestServerResponse
    {
        var headers = Headers()
        for cookie in cookies { headers.append(.setCookie, cookie) }
        headers[.location] = location
        return TestServerResponse(status: status, headers: headers)
    }

    private var sent: [[String]] { mock.requests.map { $0.headers[values: .cookie] } }

    @Test("a client stores no cookies by default")
    func offByDefault() async throws {
        let client = HTTPClient(transport: mock)
        mock.enqueue(response(setting: "a=1"), response())
        for _ in 0..<2 { _ = try await client.get("https://a.test/") }
        #expect(sent == [[], []])
    }

    @Test("cookies of a response are sent with the next request, in one field")
    func roundTrip() async throws {
        mock.enqueue(
            response(setting: "a=1; Path=/", "b=2, 3; Expires=Thu, 01 Jan 2099 00:00:00 GMT"), response(), response())
        _ = try await client.get("https://a.test/x")
        _ = try await client.get("https://a.test/x", headers: ["X-Other": "1"])
        _ = try await client.get("https://b.test/x")
        #expect(sent == [[], ["a=1; b=2, 3"], []])
        #expect(mock.requests[1].headers["X-Other"] == "1")
    }

    @Test("cookies of redirects, refusals and errors are stored", arguments: [302, 401, 404, 500])
    func everyStatus(code: Int) async throws {
        mock.enqueue(
            response(HTTPResponse.Status(code: code), setting: "a=1; Path=/", location: code == 302 ? "/next" : nil),
            response(),
            response())
        _ = try await client.get("https://a.test/x")
        _ = try await client.get("https://a.test/y")
        #expect(sent.dropFirst().allSatisfy { $0 == ["a=1"] } && sent.count == (code == 302 ? 3 : 2))
    }

    @Test("after a redirect each host gets its own cookies, and another origin does not get the caller's field")
    func redirects() async throws {
        try jar.set("b=2; Path=/", from: HTTPURL("https://b.test/"))
        mock.enqueue(
            response(.found, setting: "a=1; Path=/", location: "/again"), response(.found, location: "https://b.test/"),
            response(.found, location: "https://a.test/back"), response())
        _ = try await client.get("https://a.test/", headers: [.cookie: "own=3"])
        #expect(sent == [["own=3"], ["a=1; own=3"], ["b=2"], ["a=1"]])
    }

    @Test("several Cookie fields of the caller become one")
    func ownFields() async throws {
        mock.enqueue(response())
        var headers: Headers = [.cookie: "a=1"]
        headers.append(.cookie, "b=2")
        _ = try await client.get("https://a.test/", headers: headers)
        #expect(sent == [["a=1; b=2"]])
    }

    @Test("a call can disable cookies by `handlesCookies` or by skipping their stage", arguments: [true, false])
    func switchedOff(byStage: Bool) async throws {
        var options = OutgoingRequest.Options()
        options.handlesCookies = false
        #expect(options.skippedStages == [.cookies])
        options = byStage ? .skipping(.cookies) : options
        #expect(!options.handlesCookies)
        try jar.set("a=1", from: HTTPURL("https://a.test/"))
        mock.enqueue(response(setting: "b=2"))
        _ = try await client.get("https://a.test/", headers: [.cookie: "own=3"], options: options)
        #expect(sent == [["own=3"]])
        #expect(jar.count == 1)
    }

    @Test("enabling cookies again leaves other stages disabled")
    func switchedOn() {
        var options = OutgoingRequest.Options.skipping(.cookies, .redirects)
        options.handlesCookies = true
        #expect(options.skippedStages == [.redirects])
        options.handlesCookies = true
        #expect(options.skippedStages == [.redirects])
    }

    @Test("clients can share a jar, and a call can have its own")
    func sharing() async throws {
        let other = CookiePolicy.Jar()
        mock.enqueue(response(setting: "a=1"), response(), response(setting: "c=3"), response())
        _ = try await client.get("https://a.test/")
        _ = try await client.get("https://a.test/")
        _ = try await client.get("https://a.test/", options: .intercepting(.cookies(other)))
        #expect(sent == [[], ["a=1"], []])
        #expect(other.cookies.map(\.name) == ["c"] && jar.cookies.map(\.name) == ["a"])
    }

    @Test("at most 50 cookies of one response are stored")
    func responseLimit() async throws {
        var headers = Headers()
        for number in 0..<60 { headers.append(.setCookie, "n\(number)=1") }
        mock.enqueue(TestServerResponse(headers: headers))
        _ = try await client.get("https://a.test/")
        #expect(jar.count == 50 && jar.cookies.last?.name == "n49")
    }

    @Test("an invalid Set-Cookie is ignored without an error")
    func refused() async throws {
        mock.enqueue(response(setting: "=", "a=1; Domain=other.test", "__Host-a=1", "b=2"))
        _ = try await client.get("https://a.test/")
        #expect(jar.cookies.map(\.name) == ["b"])
    }

    @Test("no description or dump of a client's parts shows the value of a cookie")
    func secrets() async throws {
        try jar.set("session=t0ps3cret", from: HTTPURL("https://a.test/"))
        var dumped = ""
        dump(CookiePolicy(jar), to: &dumped)
        dump(jar.cookies, to: &dumped)
        #expect(!"\(dumped)\(jar)\(CookiePolicy(jar))\(jar.cookies)".contains("t0ps3cret"))
        mock.enqueue(response(.found, setting: "other=t0ps3cret", location: "ftp://a.test/"))
        let error = await #expect(throws: SockeyeError.self) { try await client.get("https://a.test/") }
        dumped = ""
        dump(error, to: &dumped)
        #expect(!"\(dumped)\(String(describing: error))".contains("t0ps3cret"))
    }
}
