import Sockeye
import SockeyeTesting

/// 12: a client whose answers are made up.
struct Mocked: Job {
    let title = "test with a mock"

    func run(_ client: HTTPClient) async throws -> String {
        let fake = HTTPClient(transport: MockTransport { _ in .json(["ok": true]) })
        let answer = try await fake.get("http://example.com/", as: [String: Bool].self)
        return "\(answer)"
    }
}
