import BenchmarkReport
import Testing

@Suite struct MarkdownReportTests {
    private let run = Made.run(
        Made.gets(
            "get-c64", Made.client(ClientName.sockeye, rate: [100, 200]),
            Made.client(ClientName.asyncHTTPClient, rate: [50, 50])))

    @Test("Targets come first, then every scenario, then machine and versions")
    func order() throws {
        let text = MarkdownReport(run, notes: "What was tried: <all>.\n", charts: ChartFile.all(of: run)).text
        let places = [
            "![", "## Targets", "What was tried: <all>.", "## Scenarios", "### get-c64", "| sockeye | 150 | 100–200 |",
            "## Machine", "- Processor: one <core>",
        ].map { text.firstRange(of: $0)?.lowerBound }
        let found = places.compactMap(\.self)
        #expect(found.count == places.count)
        #expect(found == found.sorted())
    }

    @Test("Without notes and charts there is no room for them")
    func bare() {
        let text = MarkdownReport(run, notes: nil, charts: []).text
        #expect(!text.contains("!["))
        #expect(!text.contains("\n\n\n"))
    }
}
