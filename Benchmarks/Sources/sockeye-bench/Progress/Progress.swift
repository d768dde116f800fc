import BenchmarkReport

/// Where a run is and how much of it is left.
final class Progress {
    private let console: Console
    private let scenarios: Int
    private let rounds: Int
    private var remaining: RemainingTime
    private var scenario = ""
    private var position = 0

    init(console: Console, scenarios: Int, rounds: Int, planned seconds: Double) {
        self.console = console
        self.scenarios = scenarios
        self.rounds = rounds
        remaining = RemainingTime(planned: seconds)
    }

    /// A scenario begins.
    func begin(_ scenario: String) {
        self.scenario = scenario
        position += 1
        console.line("")
        console.title("[\(position)/\(scenarios)] \(scenario)")
    }

    /// A client process begins: one of a round, or without a number the one that counts allocations.
    func step<Result>(
        _ client: String, round: Int?, planned seconds: Double, _ body: () throws -> Result
    ) rethrows -> Result {
        let stage = round.map { "round \($0 + 1) of \(rounds)" } ?? "counting allocations"
        console.status("\(scenario) · \(stage) · \(client) · \(remaining.text) left")
        console.signOfLife("  \(stage), \(remaining.text) left")
        let start = ContinuousClock.now
        defer { remaining.finish(planned: seconds, took: (.now - start) / .seconds(1)) }
        return try body()
    }
}
