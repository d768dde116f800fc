import BenchmarkReport
import Foundation

/// The folder that holds the results of a run in all their forms.
struct ReportFolder {
    static let report = "RESULTS.md"
    private static let figures = "results.json"
    private let folder: URL

    init(_ folder: URL) { self.folder = folder }

    func read() throws -> RunResults { try Self.read(folder.appending(path: Self.figures)) }

    static func read(_ file: URL) throws -> RunResults {
        guard let json = try? Data(contentsOf: file) else { throw BenchFailure("cannot read \(file.path)") }
        do {
            return try RunResults(json: json)
        } catch {
            throw BenchFailure("\(file.path) does not hold the results of a run: \(error)")
        }
    }

    /// Writes the figures, the report and the charts. The report includes the hand-written `NOTES.md` of the package.
    func write(_ results: RunResults) throws {
        let charts = ChartFile.all(of: results)
        let notes = try? String(contentsOf: RepositoryLayout.benchmarks.appending(path: "NOTES.md"), encoding: .utf8)
        let images = folder.appending(path: ChartFile.folder)
        try FileManager.default.createDirectory(at: images, withIntermediateDirectories: true)
        for chart in charts {
            try write(chart.chart.svg, to: images.appending(path: chart.name))
        }
        try write(try results.json(), to: folder.appending(path: Self.figures))
        try write(
            MarkdownReport(results, notes: notes, charts: charts).text, to: folder.appending(path: Self.report))
    }

    private func write(_ text: String, to file: URL) throws {
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
}
