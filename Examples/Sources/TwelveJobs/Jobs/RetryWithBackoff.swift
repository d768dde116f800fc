import Sockeye

/// 8: what failed is sent again after a while, but not so often that it makes things worse.
struct RetryWithBackoff: Job {
    let title = "retry with backoff"

    func run(_ client: HTTPClient) async throws -> String {
        let retrying = client.adding(.retry(max: 3, backoff: .exponential(jitter: .full), budget: .percent(20)))
        let response = try await retrying.get("busy")
        return "\(response.status.code) after \(response.history.count) retries"
    }
}
