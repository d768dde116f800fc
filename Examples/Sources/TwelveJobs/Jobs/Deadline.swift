import Sockeye

/// 10: one call gives up sooner than the others.
struct Deadline: Job {
    let title = "time-out"

    func run(_ client: HTTPClient) async throws -> String {
        do {
            let response = try await client.get(
                "x", options: .timeout(total: .milliseconds(50), connect: .seconds(1)))
            return "answered in time, \(response.status)"
        } catch {
            guard error.code == .timeout else { throw error }
            return "\(error.code) in \(error.phase)"
        }
    }
}
