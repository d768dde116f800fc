import Sockeye
import SockeyeTesting
import Testing

/// The response to TRACE may show the fields of the request, so it gets nothing secret that the caller has not set for
/// it (RFC 9110 9.3.8).
@Suite("TRACE requests", .timeLimit(.minutes(1))) struct TraceTests {
    private let mock = MockTransport { _ in .status(401, headers: ["WWW-Authenticate": "Basic realm=a"]) }

    @Test("policies add neither credentials nor cookies, and do not answer a challenge")
    func policies() async throws {
        let jar = CookiePolicy.Jar()
        let url = try HTTPURL("https://a.test/")
        try jar.set("a=1", from: url)
        let client = HTTPClient(transport: mock).adding(.cookies(jar))
            .adding(.basic(user: "u", password: "p", origins: ["https://a.test"]))
        let response = try await client.request(.trace, url)
        #expect(response.status == .unauthorized && mock.requests.count == 1)
        let sent = try #require(mock.requests.first)
        #expect(sent[.authorization] == nil && sent[.cookie] == nil)
        _ = try await client.get(url)
        #expect(mock.requests.last?[.cookie] == "a=1" && mock.requests.last?[.authorization] != nil)
    }

    @Test("a field of the caller is sent")
    func ownField() async throws {
        _ = try await HTTPClient(transport: mock).request(.trace, "https://a.test/", headers: [.authorization: "x"])
        #expect(mock.requests.first?[.authorization] == "x")
    }

    @Test("user name and password of the URL are not sent")
    func credentialsOfURL() async throws {
        try await withTestServer { request in
            .text(request[.authorization] ?? "none")
        } run: { server in
            let url = server.url("/").replacing("http://", with: "http://u:p@")
            var configuration = HTTPClient.Configuration()
            configuration.allowsPlaintextCredentials = true
            let client = HTTPClient(configuration: configuration)
            let trace = try await client.request(.trace, url).text()
            let get = try await client.get(url).text()
            #expect(trace == "none" && get.hasPrefix("Basic "))
        }
    }
}
