import BenchmarkKit
import BenchmarkReport

/// One round of a scenario: every client is started, and then they take turns, so that other load on the machine
/// affects all of them alike.
struct ScenarioRound {
    let scenario: Scenario
    let clients: [any Client]
    let servers: Servers
    let pace: Pace
    let round: Int
    let console: Console

    /// Runs the round and adds its samples to the results, which are in the order of the clients.
    func run(_ progress: Progress, _ machine: SteadyMachine, into results: inout [ClientSamples]) throws {
        let options = scenario.options(servers: servers, pace: pace)
        let planned = options.plannedSeconds
        var processes = start(options, progress)
        var attendance = Attendance(fixed: clients.map { $0.takesTurns ? nil : Self.turnsOfOthers })
        let turns = pace.turns(with: options)
        // The time of turns only; the time of waiting for the machine is limited elsewhere.
        var spent = Duration.zero
        for turn in 0..<turns {
            if turn >= 2, spent > .seconds(pace.turnSeconds) { break }
            let undisturbed = CountedTurns.undisturbed(in: results, by: machine.yardstick)
            let isPatient = Steadiness.isPatient(
                undisturbed: undisturbed, turn: round * turns + turn, of: pace.rounds * turns)
            let seconds = planned.turn * Double(clients.count)
            let (samples, conditions) = try progress.step("turn \(turn + 1) of \(turns)", planned: seconds) {
                try machine.sample(planned: seconds, isPatient: isPatient) {
                    let start = ContinuousClock.now
                    defer { spent += .now - start }
                    return takeTurns(options, turn, &attendance, &processes)
                }
            }
            for index in clients.indices {
                results[index].turns.append(samples[index].sample)
                results[index].conditions.append(conditions)
                if samples[index].isFailed { results[index].failures += 1 }
                if let process = samples[index].process { results[index].processes.append(process) }
            }
        }
        for index in clients.indices {
            guard let process = processes[index] else { continue }
            if let whole = attempt(clients[index], { try process.finish() }) { results[index].processes.append(whole) }
        }
    }

    /// Returns the estimated duration of a round, in seconds.
    static func plannedSeconds(_ options: ClientOptions, _ clients: [any Client], _ pace: Pace) -> Double {
        let planned = options.plannedSeconds
        let turns = pace.turns(with: options)
        let alternating = Double(clients.count(where: \.takesTurns))
        let others = Double(clients.count { !$0.takesTurns } * ((turns + turnsOfOthers - 1) / turnsOfOthers))
        let once = planned.turn * alternating
        let together = min(Double(turns) * once, max(pace.turnSeconds, once))
        return planned.start * alternating + together + others * 1.1
    }

    /// Starts the processes of the clients that take turns, and waits until they are ready; nil for other clients, and
    /// for those that failed.
    private func start(_ options: ClientOptions, _ progress: Progress) -> [ClientProcess?] {
        clients.map { client in
            guard options.mode == .turns, client.takesTurns else { return nil }
            return progress.step("starting \(client.name)", planned: options.plannedSeconds.start) {
                attempt(client) {
                    let process = try ClientProcess(client, options, core: scenario.placement.clientCore)
                    try process.getReady()
                    return process
                }
            }
        }
    }

    /// The result of a client's turn.
    private struct Turn {
        var sample: Sample?
        /// The final sample of a process that takes only this turn.
        var process: Sample?
        var isFailed = false
    }

    /// The interval between turns of clients that cannot pause and so have long turns.
    private static let turnsOfOthers = 2

    /// Takes a turn of each client that takes part, and returns them in the order of the clients. A different client
    /// begins each time.
    private func takeTurns(
        _ options: ClientOptions, _ turn: Int, _ attendance: inout Attendance, _ processes: inout [ClientProcess?]
    ) -> [Turn] {
        var turns = [Turn](repeating: Turn(), count: clients.count)
        for position in clients.indices {
            let index = (round + turn + position) % clients.count
            guard attendance.includes(index, inTurn: turn) else { continue }
            if let process = processes[index] {
                turns[index].sample = attempt(clients[index]) { try handshakes { try process.takeTurn() } }
                // A process that failed may be out of step with the turns.
                if turns[index].sample == nil { processes[index] = nil }
            } else if options.mode != .turns || !clients[index].takesTurns {
                turns[index].sample = attempt(clients[index]) { try once(clients[index], options) }
                turns[index].process = turns[index].sample
            }
            if let seconds = turns[index].sample?.seconds { attendance.took(seconds, by: index) }
            turns[index].isFailed = turns[index].sample == nil
        }
        return turns
    }

    /// Returns the sample of one process that takes no turns, or of several processes one after another.
    private func once(_ client: any Client, _ options: ClientOptions) throws -> Sample {
        let samples = try (0..<scenario.starts).map { _ in
            try handshakes { try ClientProcess(client, options, core: scenario.placement.clientCore).finish() }
        }
        return Sample(combining: samples)
    }

    /// Returns a sample with the share of resumed handshakes, if the server logs them.
    private func handshakes(_ take: () throws -> Sample) throws -> Sample {
        guard let log = servers.handshakeLog(of: scenario) else { return try take() }
        var (sample, resumed) = try log.resumed { try take() }
        sample.resumed = resumed
        return sample
    }

    /// Returns the result of `body`; nil, with a warning, if it throws. Also warns of failed requests.
    private func attempt<Result>(_ client: any Client, _ body: () throws -> Result) -> Result? {
        do {
            let result = try body()
            if let error = (result as? Sample)?.firstError {
                console.warning("\(scenario.name), \(client.name): \(error)")
            }
            return result
        } catch {
            console.warning("\(scenario.name), \(client.name): \(error)")
            return nil
        }
    }
}
