import BenchmarkKit

/// A client that takes part in the comparison: a program and how to understand what it prints.
protocol Client {
    var name: String { get }

    /// Whether it can do the scenario at all.
    func takesPart(in scenario: Scenario) -> Bool

    /// Whether its process can take turns with others; otherwise a turn is a process, and it has few.
    var takesTurns: Bool { get }

    /// The program and its arguments.
    func command(_ options: ClientOptions) -> (program: String, arguments: [String])

    /// Completes what the program printed with what the kernel says about its process.
    ///
    /// - Parameter output: all that it printed.
    func complete(_ sample: Sample, with ending: ChildProcess.Ending, output: String) -> Sample
}

extension Client {
    func takesPart(in scenario: Scenario) -> Bool { true }

    var takesTurns: Bool { true }

    func complete(_ sample: Sample, with ending: ChildProcess.Ending, output: String) -> Sample { sample }
}
