import BenchmarkKit

/// A client that takes part in the comparison: a program, and the interpretation of its output.
protocol Client {
    var name: String { get }

    /// Returns true if the client can run the scenario.
    func takesPart(in scenario: Scenario) -> Bool

    /// True if its process can take turns with others. Otherwise each turn is a process, and there are fewer turns.
    var takesTurns: Bool { get }

    /// Returns the program and its arguments.
    func command(_ options: ClientOptions) -> (program: String, arguments: [String])

    /// Completes the program's sample with the kernel's figures of its process.
    ///
    /// - Parameter output: The whole output of the program.
    func complete(_ sample: Sample, with ending: ChildProcess.Ending, output: String) -> Sample
}

extension Client {
    func takesPart(in scenario: Scenario) -> Bool { true }

    var takesTurns: Bool { true }

    func complete(_ sample: Sample, with ending: ChildProcess.Ending, output: String) -> Sample { sample }
}
