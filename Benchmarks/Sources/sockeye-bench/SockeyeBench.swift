import ArgumentParser

/// Compares HTTP clients side by side on this machine, and tells what came of it.
@main
struct SockeyeBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sockeye-bench", abstract: "Compares HTTP clients side by side on this machine.",
        subcommands: [RunCommand.self, ReportCommand.self, CompareCommand.self], defaultSubcommand: RunCommand.self)
}
