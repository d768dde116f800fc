import SockeyeTesting
import Testing

@testable import Sockeye
@testable import SockeyeEngine

@Suite("Requests counted by a retry budget", .timeLimit(.minutes(1))) struct RetryCountingTests {
    private func taken(_ budget: RetryPolicy.Budget, _ url: String) throws -> Int {
        let url = try HTTPURL(url)
        var count = 0
        while count < 100_000, budget.withdraw(for: url, at: ManualClock().timeSource) { count += 1 }
        return count
    }

    @Test("requests of concurrent tasks are all counted, for each of several origins")
    func together() async throws {
        let budget = RetryPolicy.Budget.percent(100, minimumPerSecond: 0)
        let time = ManualClock().timeSource
        let urls = try (1...5).map { try HTTPURL("http://a.test:\($0)/x") }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for round in 0..<1000 {
                        for url in urls[...(round % urls.count)] { budget.deposit(for: url, at: time) }
                    }
                }
            }
        }
        let counts = try (1...5).map { try taken(budget, "http://a.test:\($0)/y") }
        #expect(counts == [4000, 3200, 2400, 1600, 800])
        #expect(try (1...5).map { try taken(budget, "http://a.test:\($0)/y") } == [0, 0, 0, 0, 0])
    }

    @Test("withdrawing a retry before an origin's first request does not give the origin a second budget")
    func withdrawnFirst() throws {
        let budget = RetryPolicy.Budget.percent(100, minimumPerSecond: 0)
        let time = ManualClock().timeSource
        for port in 1...4 { #expect(try !budget.withdraw(for: HTTPURL("http://a.test:\(port)/"), at: time)) }
        for port in 1...4 { budget.deposit(for: try HTTPURL("http://a.test:\(port)/"), at: time) }
        #expect(try (1...4).map { try taken(budget, "http://a.test:\($0)/") } == [1, 1, 1, 1])
    }

    @Test("each call counts as one request, even if it is retried or fails before its request is sent")
    func calls() async throws {
        let budget = RetryPolicy.Budget.percent(100, minimumPerSecond: 0)
        let mock = MockTransport { request in .status(request.path == "/busy" ? 503 : 200) }
        let client = try HTTPClient.retrying(mock, .plain(max: 1) { $0.budget = budget })
        for path in ["", "busy", "", "busy"] { _ = try await client.get("http://a.test/" + path) }
        #expect(mock.requests.count == 6)
        let bearer = client.adding(.bearer("t", origins: ["http://a.test"]))
        await #expect(throws: SockeyeError.self) { try await bearer.get("http://a.test/") }
        #expect(mock.requests.count == 6)
        #expect(try taken(budget, "http://a.test/") == 3)
    }
}
