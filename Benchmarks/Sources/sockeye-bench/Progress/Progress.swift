import BenchmarkReport

/// The progress of a run, with its present step and the remaining time.
final class Progress {
    private let console: Console
    private let scenarios: Int
    private let rounds: Int
    private var remaining: RemainingTime
    private var scenario = ""
    private var round = 0
    private var position = 0

    init(console: Console, scenarios: Int, rounds: Int, planned seconds: Double) {
        self.console = console
        self.scenarios = scenarios
        self.rounds = rounds
        remaining = RemainingTime(planned: seconds)
    }

    /// Begins a round of a scenario.
    func begin(_ scenario: String, round: Int) {
        self.scenario = scenario
        self.round = round
    }

    /// Prints the title above the table of a scenario.
    func title(_ scenario: String) {
        position += 1
        console.line("")
        console.title("[\(position)/\(scenarios)] \(scenario)")
    }

    /// Runs a step of the round, and shows it meanwhile.
    func step<Result>(_ step: String, planned seconds: Double, _ body: () throws -> Result) rethrows -> Result {
        let stage = "\(scenario) · round \(round + 1) of \(rounds) · \(step)"
        console.status("\(stage) · \(remaining.text) left")
        console.signOfLife("  \(stage), \(remaining.text) left")
        let start = ContinuousClock.now
        defer { remaining.finish(planned: seconds, took: (.now - start) / .seconds(1)) }
        return try body()
    }
}
