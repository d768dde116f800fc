import BenchmarkKit
import BenchmarkReport

/// Runs scenarios. Each round has all of them, so that the measurements of a scenario are spread over the run.
struct Runner {
    let clients: [any Client]
    let servers: Servers
    let pace: Pace
    let console: Console

    /// Runs the scenarios round by round, and prints the table of each after its last round.
    func run(
        _ scenarios: [Scenario], facts: [RunResults.Fact]
    ) throws -> (results: RunResults, samples: [ScenarioSamples]) {
        let planned = scenarios.map(plannedSeconds).reduce(0, +)
        introduce(scenarios, planned)
        let progress = Progress(
            console: console, scenarios: scenarios.count, rounds: pace.rounds, planned: planned)
        let machine = try SteadyMachine(
            waitingTime: WaitingTime(planned: planned, fraction: pace.waiting), console: console)
        var samples = scenarios.map { scenario in
            ScenarioSamples(
                scenario: scenario.name,
                clients: participants(in: scenario).map { ClientSamples(client: $0.name) })
        }
        for round in 0..<pace.rounds {
            for (index, scenario) in scenarios.enumerated() {
                progress.begin(scenario.name, round: round)
                servers.place(scenario.placement)
                let scenarioRound = ScenarioRound(
                    scenario: scenario, clients: participants(in: scenario), servers: servers, pace: pace, round: round,
                    console: console)
                try scenarioRound.run(progress, machine, into: &samples[index].clients)
                guard round == pace.rounds - 1 else { continue }
                count(scenario, progress, into: &samples[index].clients)
                progress.title(scenario.name)
                let table = ScenarioTable(figures(of: scenario, samples[index], machine))
                console.line(table.medians.terminal(width: console.width))
            }
        }
        // Computes the figures again, because the best readings of the machine may have come later.
        let all = zip(scenarios, samples).map { figures(of: $0, $1, machine) }
        return (RunResults(facts: facts, rounds: pace.rounds, turns: pace.turns, scenarios: all), samples)
    }

    private func introduce(_ scenarios: [Scenario], _ planned: Double) {
        console.title("HTTP clients side by side")
        console.line(
            """
            clients    \(clients.map(\.name).joined(separator: ", "))
            scenarios  \(scenarios.map(\.name).joined(separator: ", "))
            rounds     \(pace.rounds); in each one, every client takes up to \(pace.turns) turns per scenario
            cores      \(cores)
            duration   \(RemainingTime.text(planned))
            """)
    }

    private var cores: String {
        guard let cores = Placement.cores else { return "one, which servers and clients share" }
        return "\(cores.servers) for the servers, \(cores.clients) for the clients, unless a scenario says otherwise"
    }

    private func participants(in scenario: Scenario) -> [any Client] {
        clients.filter { $0.takesPart(in: scenario) }
    }

    private func figures(
        of scenario: Scenario, _ samples: ScenarioSamples, _ machine: SteadyMachine
    ) -> ScenarioFigures {
        ScenarioFigures(samples, columns: scenario.measure.columns, yardstick: machine.yardstick)
    }

    /// Counts allocations, instructions and system calls of a scenario, each in a separate process.
    private func count(_ scenario: Scenario, _ progress: Progress, into results: inout [ClientSamples]) {
        let options = scenario.options(servers: servers, pace: pace).forCounting
        for counter in counters(of: scenario) {
            for (index, client) in participants(in: scenario).enumerated() {
                guard let counted = CountedClient(client, counter) else { continue }
                let sample = progress.step("counting for \(client.name)", planned: options.plannedOnce) {
                    counted.counted(options, core: scenario.placement.clientCore)
                }
                switch counter {
                case .allocations: results[index].allocations = sample
                case .instructions: results[index].instructions = sample
                case .systemCalls: results[index].systemCalls = sample
                }
            }
        }
    }

    private func counters(of scenario: Scenario) -> [CountedClient.Counter] {
        guard pace.counts else { return [] }
        let passes = scenario.measure.columns.map(\.pass)
        return (passes.contains(.allocations) ? [.allocations] : [])
            + (passes.contains(.instructions) ? [.instructions] : [])
            + (passes.contains(.systemCalls) ? [.systemCalls] : [])
    }

    private func plannedSeconds(_ scenario: Scenario) -> Double {
        let options = scenario.options(servers: servers, pace: pace)
        let round = ScenarioRound.plannedSeconds(options, participants(in: scenario), pace)
        let counting = options.forCounting.plannedOnce * Double(counters(of: scenario).count * clients.count)
        return round * Double(pace.rounds) + counting
    }
}
