import ArgumentParser

/// Compares HTTP clients on this machine, and reports the results.
@main
struct SockeyeBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sockeye-bench", abstract: "Compares HTTP clients side by side on this machine.",
        subcommands: [RunCommand.self, ReportCommand.self, CompareCommand.self], defaultSubcommand: RunCommand.self)
}
