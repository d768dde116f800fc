package import BenchmarkKit

/// What the processes of one client reported in one scenario.
package struct ClientSamples: Codable, Sendable {
    package let client: String
    /// One for each turn of each round; nil where the client failed, or had no turn.
    package var turns: [Sample?] = []
    /// For each turn, what the machine was like.
    package var conditions: [SampleConditions] = []
    /// What each process said at its end, about all of its turns.
    package var processes: [Sample] = []
    /// Those of the processes in which allocations, instructions and system calls were counted.
    package var allocations: Sample?
    package var instructions: Sample?
    package var systemCalls: Sample?
    /// Turns that failed as a whole.
    package var failures = 0

    package init(client: String) { self.client = client }

    /// Failed requests, and failed turns.
    package var errors: Int { turns.reduce(failures) { $0 + ($1?.errors ?? 0) } }

    /// The samples that a figure is taken from.
    func samples(_ pass: Column.Pass) -> [Sample?] {
        switch pass {
        case .turn: turns
        case .process: processes
        case .allocations: [allocations]
        case .instructions: [instructions]
        case .systemCalls: [systemCalls]
        }
    }
}
