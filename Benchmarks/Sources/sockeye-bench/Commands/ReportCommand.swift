import ArgumentParser
import BenchmarkReport
import Foundation

/// The command that writes the report of a run again, from its `results.json`.
struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Writes RESULTS.md and the charts again, from the results.json of a run.")

    @Option(help: "The folder with results.json, to which the report is written. Default: Benchmarks.")
    var folder: String?

    func run() throws {
        let folder = folder.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? RepositoryLayout.benchmarks
        let report = ReportFolder(folder)
        let results = try report.read()
        try report.write(results)
        print(TargetTable(results).summary)
        print("report written to \(folder.appending(path: ReportFolder.report).path)")
    }
}
