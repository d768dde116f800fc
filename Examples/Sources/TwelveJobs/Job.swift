import Sockeye

/// One thing that people use an HTTP client for.
protocol Job: Sendable {
    var title: String { get }

    /// Does it with a client whose base is the server; returns what came of it.
    func run(_ client: HTTPClient) async throws -> String
}
