import Sockeye
import SockeyeTesting
import Testing

@Suite("Interceptors that add fields", .timeLimit(.minutes(1)))
struct AdapterTests {
    private let url = "http://a.example/"

    @Test("an interceptor replaces the values of a field or appends a value")
    func fields() async throws {
        let mock = MockTransport { _ in .ok() }
        let client = HTTPClient(transport: mock)
        let headers: Headers = ["x-tenant": "b", "Accept": "*/*", "X-Tenant": "c"]
        _ = try await client.adding(.setting("X-Tenant", to: "a")).get(url, headers: headers)
        _ = try await client.adding(.appending("X-Tenant", "a")).get(url, headers: headers)
        _ = try await client.get(url, options: .intercepting(.setting("X-Tenant", to: "a")))
        #expect(mock.requests.map { $0.headers[values: "X-Tenant"] } == [["a"], ["b", "c", "a"], ["a"]])
        #expect(mock.requests[0]["Accept"] == "*/*")
    }

    @Test("descriptions do not show the value of an interceptor's field")
    func secrets() {
        let client = HTTPClient(transport: MockTransport()).adding(.setting("X-Key", to: "s3cret"))
        var dumped = ""
        dump(client, to: &dumped)
        let own: HeaderInterceptor = .appending("X-Key", "s3cret")
        dump(own, to: &dumped)
        #expect(!dumped.contains("s3cret"), "\(dumped)")
        #expect("\(own)" == "appending X-Key")
    }

    @Test("an interceptor's Authorization field is not sent after a redirect to another origin")
    func crossOrigin() async throws {
        let mock = MockTransport()
        mock.enqueue(.redirect(to: "http://b.example/"), .ok())
        let client = HTTPClient(transport: mock).adding(.setting(.authorization, to: "Bearer t0ken"))
        _ = try await client.get(url)
        #expect(mock.requests.map { $0[.authorization] } == ["Bearer t0ken", nil])
    }
}
