import BenchmarkReport

/// Where a run is and how much of it is left.
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

    /// A round of a scenario begins.
    func begin(_ scenario: String, round: Int) {
        self.scenario = scenario
        self.round = round
    }

    /// The table of a scenario follows.
    func title(_ scenario: String) {
        position += 1
        console.line("")
        console.title("[\(position)/\(scenarios)] \(scenario)")
    }

    /// A step of the round begins.
    func step<Result>(_ step: String, planned seconds: Double, _ body: () throws -> Result) rethrows -> Result {
        let stage = "\(scenario) · round \(round + 1) of \(rounds) · \(step)"
        console.status("\(stage) · \(remaining.text) left")
        console.signOfLife("  \(stage), \(remaining.text) left")
        let start = ContinuousClock.now
        defer { remaining.finish(planned: seconds, took: (.now - start) / .seconds(1)) }
        return try body()
    }
}
