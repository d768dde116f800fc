import Sockeye

/// A job that Sockeye cannot do yet.
struct PendingJob: Job {
    let title: String

    func run(_ client: HTTPClient) async throws -> String { "PENDING, the client has no such feature yet" }
}
