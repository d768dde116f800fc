import ArgumentParser
import BenchmarkReport
import Foundation

/// The command that compares the ratios of two runs, and fails if they differ.
struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compares the ratios to other clients in two runs, and fails if one differs too much.")

    @Argument(help: "The results.json of a run.")
    var first: String

    @Argument(help: "The results.json of another run.")
    var second: String

    @Option(help: "The percentage by which a ratio may differ.")
    var tolerance = 15.0

    func run() throws {
        let comparison = RunComparison(
            try ReportFolder.read(URL(filePath: first)), try ReportFolder.read(URL(filePath: second)),
            tolerance: tolerance / 100)
        print(comparison.text())
        guard comparison.agrees else { throw ExitCode.failure }
    }
}
