import Sockeye
import SockeyeTestSupport
import SockeyeTesting
import Testing

@Suite("Decisions on retries", .timeLimit(.minutes(1)))
struct RetryDecisionTests {
    private struct Undecided: Error {}

    private let url = "http://ada:s3cret@a.example/"

    @Test("the closure `decide` can repeat a request that the policy would not repeat, and can prevent a retry")
    func overrides() async throws {
        let mock = MockTransport()
        mock.enqueue(.status(418), .status(503, headers: ["X-Final": "yes"]), .ok())
        let policy = RetryPolicy.plain {
            $0.decide = { proposed in
                if proposed.status?.code == 418 { return .retry(after: .zero) }
                return proposed.headers?["X-Final"] == nil ? proposed.usual : .stop
            }
        }
        let response = try await HTTPClient.retrying(mock, policy).post(url)
        #expect(response.status.code == 503)
        #expect(response.history.map(\.status?.code) == [418])
    }

    @Test("the closure gets the decision of the policy")
    func usual() async throws {
        let mock = MockTransport()
        mock.enqueue(.status(503), .status(404))
        let asked = Recorder<RetryPolicy.Proposal>()
        let policy = RetryPolicy.plain(max: 5) {
            $0.decide = { proposed in
                asked.append(proposed)
                return proposed.usual
            }
        }
        let response = try await HTTPClient.retrying(mock, policy).get(url)
        #expect(response.status.code == 404)
        #expect(asked.values.map(\.usual) == [.retry(after: .zero), .stop])
        #expect(asked.values.map(\.count) == [0, 1])
        #expect(asked.values.map(\.description).first == "GET http://a.example/: 503, retry 1 after 0.0 seconds")
        var dumped = ""
        dump(asked.values, to: &dumped)
        #expect(!dumped.contains("s3cret"), "\(dumped)")
    }

    @Test("the closure is not asked about a success after failures, so no successful POST is repeated")
    func laterRounds() async throws {
        let asked = Recorder<Int>()
        let policy = RetryPolicy.plain(max: 5) {
            $0.decide = { proposed in
                asked.append(proposed.status?.code ?? 0)
                return .retry(after: .zero)
            }
        }
        let mock = MockTransport()
        mock.enqueue(.status(503), .status(409), .ok("booked"), .ok("booked twice"), .ok("booked thrice"))
        let response = try await HTTPClient.retrying(mock, policy).post(url, .body("order"))
        #expect(try await response.text() == "booked")
        #expect(asked.values == [503, 409])
        #expect(mock.requests.count == 3)
    }

    @Test("the closure is called neither after a success nor if no retry is possible")
    func unasked() async throws {
        let asked = Recorder<Int>()
        let policy = RetryPolicy.plain(max: 1) {
            $0.decide = { proposed in
                asked.append(proposed.status?.code ?? 0)
                return .retry(after: .zero)
            }
        }
        let mock = MockTransport { request in .status(Int(request.path.dropFirst()) ?? 200) }
        let client = try HTTPClient.retrying(mock, policy)
        _ = try await client.get("http://a.example/204")
        #expect(asked.values.isEmpty)
        _ = try await client.get("http://a.example/400")
        #expect(asked.values == [400])
        let oneShot = OutgoingRequest.Body.stream(Elements([[1] as [UInt8]]))
        _ = try await client.put("http://a.example/503", .body(oneShot))
        #expect(asked.values == [400])
    }

    @Test("an error of the closure fails the call")
    func throwing() async throws {
        let policy = RetryPolicy.plain { $0.decide = { _ in throw Undecided() } }
        let mock = MockTransport { _ in .status(503) }
        let error = await #expect(throws: SockeyeError.self) {
            try await HTTPClient.retrying(mock, policy).get(url)
        }
        #expect(error?.code == .interceptorFailed)
        #expect(error?.underlying is Undecided)
        #expect(error.map { !"\($0)".contains("s3cret") } == true)
    }
}
