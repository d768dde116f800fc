import Sockeye
import SockeyeTesting
import Synchronization
import Testing

@Suite("Interceptors for fields and logs", .timeLimit(.minutes(1)))
struct AdapterTests {
    private let url = "http://a.example/"

    @Test("a field is set instead of what is there, or added to it")
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

    @Test("a field that may be secret shows in no description")
    func secrets() {
        let client = HTTPClient(transport: MockTransport()).adding(.setting("X-Key", to: "s3cret"))
        var dumped = ""
        dump(client, to: &dumped)
        let own: HeaderInterceptor = .appending("X-Key", "s3cret")
        dump(own, to: &dumped)
        #expect(!dumped.contains("s3cret"), "\(dumped)")
        #expect("\(own)" == "appending X-Key")
    }

    @Test("a field of Authorization stays behind at another origin")
    func crossOrigin() async throws {
        let mock = MockTransport()
        mock.enqueue(.redirect(to: "http://b.example/"), .ok())
        let client = HTTPClient(transport: mock).adding(.setting(.authorization, to: "Bearer t0ken"))
        _ = try await client.get(url)
        #expect(mock.requests.map { $0[.authorization] } == ["Bearer t0ken", nil])
    }

    @Test("each exchange is told of, without anything that may be secret")
    func logging() async throws {
        let mock = MockTransport()
        mock.enqueue(.redirect(to: "/next?token=t0ken"), .status(503), .text("12345", headers: ["X-Key": "s3cret"]))
        let log = Recorder<LoggingInterceptor.Exchange>()
        let client = HTTPClient(transport: mock).adding(.logging { log.append($0) }).adding(.retry(.plain()))
        let response = try await client.put(
            "http://ada:passw0rd@a.example/start?key=k3y#frag", .body("body"), headers: ["Cookie": "c00kie"])
        #expect(response.status == .ok)
        #expect(log.values.map(\.status?.code) == [302, 503, 200])
        #expect(log.values.map(\.url) == ["start", "next", "next"].map { "http://a.example/\($0)" })
        #expect(log.values.map(\.method) == [.put, .put, .put])
        #expect(log.values.map(\.requestBytes) == [4, 4, 4])
        #expect(log.values.map(\.responseBytes) == [0, 0, 5])
        #expect(log.values.allSatisfy { $0.duration >= .zero && $0.errorCode == nil })
        var dumped = "\(log.values)"
        dump(log.values, to: &dumped)
        for secret in ["passw0rd", "ada", "k3y", "t0ken", "s3cret", "c00kie", "frag", "12345"] {
            #expect(!dumped.contains(secret), "\(dumped)")
        }
        #expect(log.values.first?.description.hasPrefix("PUT http://a.example/start: 302 after ") == true)
    }

    @Test("errors are told of, too")
    func loggingErrors() async throws {
        let log = Recorder<LoggingInterceptor.Exchange>()
        let mock = MockTransport { _ in throw SockeyeError.failure(.connectionClosed) }
        let client = HTTPClient(transport: mock).adding(.logging { log.append($0) })
        await #expect(throws: SockeyeError.self) { try await client.get(url) }
        let summary = try #require(log.values.first)
        #expect(summary.errorCode == .connectionClosed)
        #expect(summary.errorPhase == .head)
        #expect(summary.status == nil)
        #expect(summary.description.hasPrefix("GET http://a.example/: connectionClosed in head after "))
    }

    @Test("the time of an exchange is that of the client's clock")
    func duration() async throws {
        let clock = ManualClock()
        let log = Recorder<Duration>()
        let mock = MockTransport { _ in
            clock.advance(by: .seconds(3))
            return .ok()
        }
        let client = try HTTPClient.retrying(mock, .plain(), clock: clock).adding(.logging { log.append($0.duration) })
        _ = try await client.get(url)
        #expect(log.values == [.seconds(3)])
    }
}
