import ArgumentParser
import BenchmarkReport
import Foundation

/// The command that measures and writes the report.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Runs scenarios and writes a report (the default command).")

    @Flag(help: "Runs fewer scenarios and rounds, in less than three minutes.")
    var quick = false

    @Option(help: "Only the scenario with this name, or else all scenarios whose names contain this text.")
    var scenario = ""

    @Option(help: "Only these clients: names separated by commas. The first one is compared with the others.")
    var clients = ""

    @Option(help: "The number of rounds. In each round every client starts in a new process.")
    var rounds: Int?

    @Option(help: "The maximum number of turns of each client in a round.")
    var turns: Int?

    @Option(help: "The seconds of measured requests in each turn.")
    var seconds: Double?

    @Option(
        help: """
            The folder for RESULTS.md, results.json and Charts. Default: Benchmarks, or Benchmarks/.build/quick for a \
            quick run. With --scenario or --clients, nothing is written by default.
            """)
    var output: String?

    @Option(help: "A file for the samples of every process in every round, as JSON.")
    var raw: String?

    @Flag(help: "Lists scenarios and clients.")
    var list = false

    func validate() throws {
        if let turns, turns < 1 { throw ValidationError("--turns must be at least 1.") }
        if let rounds, rounds < 1 { throw ValidationError("--rounds must be at least 1.") }
        if let seconds, !(seconds > 0) { throw ValidationError("--seconds must be above 0.") }
    }

    // Synchronous, so that it stays on the main thread: the kernel kills the children when that thread ends.
    func run() throws {
        let all = ClientCatalogue.all(programs: RepositoryLayout.programs, peers: RepositoryLayout.peers)
        let missing = ClientCatalogue.missing(peers: RepositoryLayout.peers)
        let chosen = try chosenClients(all)
        let known = Scenario.all + (scenario.isEmpty && !list ? [] : Scenario.others)
        let names = NameChoice.names(known.map(\.name), matching: scenario)
        let scenarios = known.filter { (!quick || $0.isQuick) && names.contains($0.name) }
        if list {
            print("scenarios: \(scenarios.map(\.name).joined(separator: " "))")
            print("clients: \(chosen.map(\.name).joined(separator: " "))")
            return
        }
        guard !scenarios.isEmpty else {
            let kind = quick ? "quick scenario" : "scenario"
            throw ValidationError("No \(kind) has '\(scenario)' in its name; --list lists them.")
        }
        // A client that ends too early must not end this process.
        signal(SIGPIPE, SIG_IGN)
        let console = Console()
        if !missing.isEmpty {
            console.warning("omitted because they are not built: \(missing.joined(separator: ", "))")
        }
        let facts = Environment.current(command: command, network: try Network.isolated(), missing: missing)
        let servers = try Servers(programs: RepositoryLayout.programs, scenarios: scenarios)
        defer { servers.stop() }
        let runner = Runner(clients: chosen, servers: servers, pace: pace, console: console)
        let (results, samples) = try runner.run(scenarios, facts: facts)
        try finish(results, samples)
    }

    private var pace: Pace {
        var pace = quick ? Pace.quick : Pace.full
        if let rounds {
            pace.rounds = rounds
            // A run with more rounds is not meant to take three minutes.
            pace.waiting = Pace.patience
        }
        if let turns { (pace.turns, pace.transfers) = (turns, turns) }
        pace.seconds = seconds ?? pace.seconds
        return pace
    }

    /// The command line that repeats this run.
    private var command: String {
        var arguments: [String] = []
        if !scenario.isEmpty { arguments.append("--scenario \(scenario)") }
        if !clients.isEmpty { arguments.append("--clients \(clients)") }
        if let rounds { arguments.append("--rounds \(rounds)") }
        if let turns { arguments.append("--turns \(turns)") }
        if let seconds { arguments.append("--seconds \(seconds)") }
        let quoted = arguments.isEmpty ? "" : " ARGS='\(arguments.joined(separator: " "))'"
        return "make bench" + (quick ? " QUICK=1" : "") + quoted
    }

    private func chosenClients(_ all: [any Client]) throws -> [any Client] {
        guard !clients.isEmpty else { return all }
        return try clients.split(separator: ",").map { name in
            guard let client = all.first(where: { $0.name == name }) else {
                throw ValidationError("There is no client '\(name)'; --list lists them.")
            }
            return client
        }
    }

    /// Prints the outcomes of the targets and writes the requested files.
    private func finish(_ results: RunResults, _ samples: [ScenarioSamples]) throws {
        let targets = TargetTable(results).ran
        if !targets.rows.isEmpty { print("\ntargets\n\(targets.terminal())") }
        let conditions = [Disturbances(results)?.text, CoreDistances(results)?.text].compactMap(\.self)
        for text in conditions { print("\n\(text)") }
        if let raw {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try encoder.encode(samples).write(to: URL(filePath: raw), options: .atomic)
            print("\nsamples written to \(raw)")
        }
        guard let folder else { return }
        try ReportFolder(folder).write(results)
        print("\nresults written to \(folder.appending(path: ReportFolder.report).path)")
    }

    private var folder: URL? {
        if let output { return URL(filePath: output, directoryHint: .isDirectory) }
        guard scenario.isEmpty, clients.isEmpty else { return nil }
        return quick ? RepositoryLayout.benchmarks.appending(path: ".build/quick") : RepositoryLayout.benchmarks
    }
}
