import HTTPTypes
import Sockeye
import SockeyeTesting
import Synchronization

/// A server that redirects the first request and refuses the second, so that a call has three exchanges. Other paths
/// have other answers.
enum Scenario {
    static func answer(_ request: TestRequest, _ refused: borrowing Atomic<Bool>) -> TestServerResponse {
        switch request.path {
        case "/start": .redirect(to: "/flaky?sig=s3cr3t&page=2")
        case "/flaky": refused.exchange(true, ordering: .relaxed) ? .ok("done") : .status(503)
        case "/gone": .status(404)
        default: .ok("hello")
        }
    }

    /// - Parameters:
    ///   - field: The field whose values the notes record.
    ///   - body: Gets the server and the notes on its requests.
    static func run<Result>(
        noting field: Headers.Name = "traceparent", _ body: (TestServer, Notes) async throws -> Result
    ) async throws -> Result {
        let state = Notes()
        return try await withTestServer { request in
            state.add(request[field])
            return answer(request, state.refused)
        } run: { server in
            try await body(server, state)
        }
    }

    final class Notes: Sendable {
        let refused = Atomic(false)
        private let noted = Mutex<[String?]>([])

        func add(_ value: String?) { noted.withLock { $0.append(value) } }
        var values: [String?] { noted.withLock { $0 } }
    }

    static let retrying = RetryPolicy.retry(backoff: .none, budget: nil)
}
