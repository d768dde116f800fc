import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

/// Fields that policies add without making a new request.
@Suite("Fields of policies", .timeLimit(.minutes(1))) struct FieldsOfPoliciesTests {
    private struct Closure: Interceptor {
        let stage = Call.Stage.attempt
        let body: @Sendable (OutgoingRequest, Call) async throws -> IncomingResponse

        func intercept(_ request: OutgoingRequest, in call: Call) async throws -> IncomingResponse {
            try await body(request, call)
        }
    }

    private static let url = "https://a.example/"

    private func client(_ mock: MockTransport, _ inner: any Interceptor...) throws -> HTTPClient {
        let jar = CookiePolicy.Jar()
        try jar.set("id=1", from: HTTPURL(Self.url))
        return HTTPClient(
            transport: mock, interceptors: [RetryPolicy.retry(backoff: .none), .bearer("t"), CookiePolicy(jar)] + inner)
    }

    @Test("inner interceptors and transports see the policies' fields after the caller's")
    func seen() async throws {
        let seen = Recorder<Headers>()
        let mock = MockTransport { request in
            seen.append(request.headers)
            return .ok()
        }
        let looking = Closure { request, call in
            seen.append(request.headers)
            return try await call.proceed(request)
        }
        _ = try await client(mock, looking).get(Self.url, headers: ["X": "1"])
        let expected: Headers = ["X": "1", .authorization: "Bearer t", .cookie: "id=1"]
        #expect(seen.values == [expected, expected])
    }

    @Test("the policies' fields stay if an inner interceptor changes the request, unless it removes them")
    func changed() async throws {
        let seen = Recorder<Headers>()
        let mock = MockTransport { request in
            seen.append(request.headers)
            return .ok()
        }
        let changing = Closure { request, call in
            var request = request
            request.headers.append("Y", "2")
            request.headers.removeAll(named: .cookie)
            return try await call.proceed(request)
        }
        _ = try await client(mock, changing).get(Self.url)
        #expect(seen.values == [[.authorization: "Bearer t", "Y": "2"]])
    }

    @Test("each attempt has the current fields of the policies, once each")
    func repeated() async throws {
        let heads = Recorder<[String]>()
        try await withTestServer { request in
            heads.append(
                ["Authorization", "Cookie"].map { request.headers[values: Headers.Name($0)].joined(separator: "|") })
            switch heads.values.count {
            case 1: return .status(503, headers: [.setCookie: "id=1"])
            case 2: return .status(401, headers: [.setCookie: "id=2"])
            case 3: return .redirect(to: "/end", headers: [.setCookie: "id=3"])
            default: return .ok("end")
            }
        } run: { server in
            let tokens = Recorder<Int>()
            let bearer = AuthenticationPolicy.bearer {
                tokens.append(1)
                return AuthenticationPolicy.Token("t\(tokens.values.count)")
            }
            let client = HTTPClient().adding(
                RetryPolicy.retry(backoff: .none), bearer, CookiePolicy(CookiePolicy.Jar()))
            let response = try await client.get(server.url())
            #expect(try await response.text() == "end")
            #expect(response.history.map(\.reason) == [.retried, .challenged, .redirected])
        }
        #expect(
            heads.values == [
                ["Bearer t1", ""], ["Bearer t1", "id=1"], ["Bearer t2", "id=2"], ["Bearer t2", "id=3"],
            ])
    }
}
