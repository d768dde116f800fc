import ArgumentParser
import Foundation

/// Compares HTTP clients side by side on this machine.
@main
struct SockeyeBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sockeye-bench", abstract: "Compares HTTP clients side by side on this machine.")

    @Flag(help: "Fewer scenarios and rounds: less than three minutes.")
    var quick = false

    @Option(help: "Only scenarios whose name contains this.")
    var scenario = ""

    @Option(help: "Only these clients, by name and separated by commas; the others are compared with the first.")
    var clients = ""

    @Option(help: "How often each client does each scenario.")
    var rounds: Int?

    @Option(help: "Seconds of measured requests each time.")
    var seconds: Double?

    @Option(help: "Where to write the results; by default Benchmarks/RESULTS.md if every client and scenario ran.")
    var output: String?

    @Flag(help: "List scenarios and clients.")
    var list = false

    // Synchronous, and so on the main thread from start to end: the kernel ties the children's lives to it.
    func run() throws {
        let chosen = try chosenClients(ClientCatalogue.all(programs: RepositoryLayout.programs))
        let scenarios = Scenario.all.filter {
            (!quick || $0.isQuick) && (scenario.isEmpty || $0.name.contains(scenario))
        }
        if list {
            print("scenarios: \(scenarios.map(\.name).joined(separator: " "))")
            print("clients: \(chosen.map(\.name).joined(separator: " "))")
            return
        }
        let environment = Environment.current(command: "make bench\(quick ? " QUICK=1" : "")")
        let servers = try Servers(programs: RepositoryLayout.programs, scenarios: scenarios)
        defer { servers.stop() }
        let runner = Runner(clients: chosen, servers: servers, pace: pace)
        var results: [ScenarioResult] = []
        for scenario in scenarios {
            let result = try runner.run(scenario)
            results.append(result)
            print("\n\(scenario.name)")
            print(TextTable(headings: result.headings, rows: result.rows).terminal)
        }
        try write(results, environment)
    }

    private var pace: Pace {
        var pace = quick ? Pace.quick : Pace.full
        pace.rounds = rounds ?? pace.rounds
        pace.seconds = seconds ?? pace.seconds
        return pace
    }

    private func chosenClients(_ all: [any Client]) throws -> [any Client] {
        guard !clients.isEmpty else { return all }
        return try clients.split(separator: ",").map { name in
            guard let client = all.first(where: { $0.name == name }) else {
                throw ValidationError("There is no client \(name); see --list.")
            }
            return client
        }
    }

    private func write(_ results: [ScenarioResult], _ environment: Environment) throws {
        let isComplete = scenario.isEmpty && clients.isEmpty
        let file = output.map { URL(filePath: $0) } ?? RepositoryLayout.benchmarks.appending(path: "RESULTS.md")
        guard isComplete || output != nil else { return }
        let report = MarkdownReport(environment: environment, pace: pace, results: results)
        try report.text.write(to: file, atomically: true, encoding: .utf8)
        print("\nwritten to \(file.path)")
    }
}
