package import BenchmarkKit

/// The samples of the processes of one client in one scenario.
package struct ClientSamples: Codable, Sendable {
    package let client: String
    /// A sample for each turn of each round; nil if the client failed, or had no turn.
    package var turns: [Sample?] = []
    /// The conditions of the machine in each turn.
    package var conditions: [SampleConditions] = []
    /// The sample of each process about all of its turns.
    package var processes: [Sample] = []
    /// The samples of the processes in which allocations, instructions and system calls were counted.
    package var allocations: Sample?
    package var instructions: Sample?
    package var systemCalls: Sample?
    /// The number of turns that failed as a whole.
    package var failures = 0

    package init(client: String) { self.client = client }

    /// The number of failed requests and failed turns.
    package var errors: Int { turns.reduce(failures) { $0 + ($1?.errors ?? 0) } }

    /// Returns the samples that a figure is taken from.
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
