package import BenchmarkKit

/// What the processes of one client reported in one scenario.
package struct ClientSamples: Codable, Sendable {
    package let client: String
    /// One for each round; nil where the process failed as a whole.
    package var rounds: [Sample?] = []
    /// For each round, what the machine was like.
    package var conditions: [SampleConditions] = []
    /// That of the pass in which allocations were counted.
    package var counting: Sample?

    package init(client: String) { self.client = client }

    /// Failed requests of the rounds, and failed processes.
    package var errors: Int {
        rounds.reduce(0) { $0 + ($1?.errors ?? 1) }
    }
}
