import BenchmarkKit
import Foundation

/// Runs scenarios: each round takes every client once, so that what else the machine does meets all alike.
struct Runner {
    let clients: [any Client]
    let servers: Servers
    let pace: Pace

    func run(_ scenario: Scenario) throws -> ScenarioResult {
        let participants = clients.filter { $0.takesPart(in: scenario) }
        var results = participants.map { ClientResult(client: $0.name, measure: scenario.measure) }
        let options = scenario.options(servers: servers, pace: pace)
        for round in 0..<pace.rounds {
            // A different client begins each round.
            for turn in participants.indices {
                let index = (round + turn) % participants.count
                do {
                    results[index].samples.append(try measure(participants[index], options))
                } catch {
                    results[index].failures += 1
                    note("\(scenario.name), \(participants[index].name): \(error)")
                }
            }
        }
        return ScenarioResult(scenario: scenario, clients: results)
    }

    private func measure(_ client: any Client, _ options: ClientOptions) throws -> Sample {
        let (program, arguments) = client.command(options)
        let process = try ChildProcess(program, arguments)
        let limit = options.requests == .max ? options.seconds + options.warmup + 20 : 120
        guard let output = process.readAll(within: limit) else {
            throw BenchFailure("no result within \(Int(limit)) s")
        }
        let ending = process.end()
        guard ending.status == 0, let line = output.split(separator: "\n").last(where: { $0.hasPrefix("{") }) else {
            throw BenchFailure("ended with status \(ending.status) and no result")
        }
        let sample = try JSONDecoder().decode(Sample.self, from: Data(line.utf8))
        if let error = sample.firstError { note("\(client.name): \(error)") }
        return client.complete(sample, with: ending)
    }

    private func note(_ text: String) {
        FileHandle.standardError.write(Data("  \(text)\n".utf8))
    }
}
