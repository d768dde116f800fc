import BenchmarkKit
import BenchmarkReport

/// Runs scenarios: each round takes every client once, so that what else the machine does meets all alike.
struct Runner {
    let clients: [any Client]
    let servers: Servers
    let pace: Pace
    let console: Console

    /// Runs the scenarios one after the other and shows each as soon as it is done.
    func run(
        _ scenarios: [Scenario], facts: [RunResults.Fact]
    ) throws -> (results: RunResults, samples: [ScenarioSamples]) {
        let planned = scenarios.map(plannedSeconds).reduce(0, +)
        console.title("HTTP clients side by side")
        console.line(
            """
            clients    \(clients.map(\.name).joined(separator: ", "))
            scenarios  \(scenarios.map(\.name).joined(separator: ", "))
            rounds     \(pace.rounds) of each scenario, the clients in turn
            takes      \(RemainingTime.text(planned))
            """)
        let progress = Progress(
            console: console, scenarios: scenarios.count, rounds: pace.rounds, planned: planned)
        let machine = try SteadyMachine(
            waitingTime: WaitingTime(planned: planned, fraction: pace.waiting), console: console)
        var samples: [ScenarioSamples] = []
        for scenario in scenarios {
            progress.begin(scenario.name)
            samples.append(try run(scenario, progress, machine))
            let table = ScenarioTable(figures(of: scenario, samples[samples.count - 1], machine))
            console.line(table.medians.terminal(width: console.width))
        }
        // Once more, because the best that the machine can do may have shown only later.
        let all = zip(scenarios, samples).map { figures(of: $0, $1, machine) }
        return (RunResults(facts: facts, rounds: pace.rounds, scenarios: all), samples)
    }

    private func figures(
        of scenario: Scenario, _ samples: ScenarioSamples, _ machine: SteadyMachine
    ) -> ScenarioFigures {
        ScenarioFigures(samples, columns: scenario.measure.columns, yardstick: machine.yardstick)
    }

    private func run(
        _ scenario: Scenario, _ progress: Progress, _ machine: SteadyMachine
    ) throws -> ScenarioSamples {
        let participants = clients.filter { $0.takesPart(in: scenario) }
        var results = participants.map { ClientSamples(client: $0.name) }
        let options = scenario.options(servers: servers, pace: pace)
        for round in 0..<pace.rounds {
            let undisturbed = CountedRounds.undisturbed(in: results, by: machine.yardstick)
            let isPatient = Steadiness.isPatient(undisturbed: undisturbed, round: round, of: pace.rounds)
            // A different client begins each round.
            for turn in participants.indices {
                let index = (round + turn) % participants.count
                let seconds = options.plannedSeconds
                let (sample, conditions) = try progress.step(
                    participants[index].name, round: round, planned: seconds
                ) {
                    try machine.sample(planned: seconds, isPatient: isPatient) {
                        attempt(scenario, participants[index], options)
                    }
                }
                results[index].rounds.append(sample)
                results[index].conditions.append(conditions)
            }
        }
        for index in participants.indices where counts(scenario, participants[index]) {
            let short = options.forCounting
            results[index].counting = progress.step(
                participants[index].name, round: nil, planned: short.plannedSeconds
            ) { attempt(scenario, CountedClient(participants[index]), short) }
        }
        return ScenarioSamples(scenario: scenario.name, clients: results)
    }

    /// Whether a scenario has figures of the pass that counts allocations, and the client can tell them.
    private func counts(_ scenario: Scenario, _ client: any Client) -> Bool {
        pace.countsAllocations && CountedClient.isAvailable && client is KitClient
            && scenario.measure.columns.contains { $0.pass == .counting }
    }

    private func plannedSeconds(_ scenario: Scenario) -> Double {
        let options = scenario.options(servers: servers, pace: pace)
        return clients.filter { $0.takesPart(in: scenario) }.reduce(0) { sum, client in
            sum + options.plannedSeconds * Double(pace.rounds)
                + (counts(scenario, client) ? options.forCounting.plannedSeconds : 0)
        }
    }

    /// A sample of a client; nil, with a warning, if it fails as a whole.
    private func attempt(_ scenario: Scenario, _ client: any Client, _ options: ClientOptions) -> Sample? {
        do {
            let sample = try sample(of: client, options, scenario)
            if let error = sample.firstError { console.warning("\(scenario.name), \(client.name): \(error)") }
            return sample
        } catch {
            console.warning("\(scenario.name), \(client.name): \(error)")
            return nil
        }
    }

    /// What one process reports, or several one after another, and what the server saw of it.
    private func sample(of client: any Client, _ options: ClientOptions, _ scenario: Scenario) throws -> Sample {
        guard let log = servers.handshakeLog(of: scenario) else {
            return Sample(combining: try (0..<scenario.starts).map { _ in try ClientProcess(client).sample(options) })
        }
        var (sample, resumed) = try log.resumed { try ClientProcess(client).sample(options) }
        sample.resumed = resumed
        return sample
    }
}
