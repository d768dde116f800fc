@testable import BenchmarkReport

/// Invented results of a run, for tests.
enum Made {
    static let rate = Heading(
        figure: FigureName.requestRate, title: "", unit: "req/s", better: .higher, style: .whole, showsRange: true,
        ratioTitle: "speed ratio")
    static let cpu = Heading(
        figure: FigureName.cpu, title: "CPU", unit: "µs/req", better: .lower, style: .significant, showsRange: false,
        ratioTitle: nil)
    static let bytes = Heading(
        figure: FigureName.byteRate, title: "", unit: "GB/s", better: .higher, style: .significant, showsRange: false,
        ratioTitle: nil)
    static let memory = Heading(
        figure: FigureName.peakMemory, title: "RSS", unit: "MB", better: .lower, style: .significant,
        showsRange: false, ratioTitle: nil)

    static func client(_ name: String, rate: [Double?] = [], cpu: [Double?] = [], errors: Int = 0) -> ClientFigures {
        ClientFigures(
            client: name, errors: errors, values: [FigureName.requestRate: rate, FigureName.cpu: cpu])
    }

    static func gets(_ name: String, _ clients: ClientFigures...) -> ScenarioFigures {
        ScenarioFigures(name: name, headings: [rate, cpu], clients: clients)
    }

    /// Returns a transfer in which Sockeye has the given peak of memory.
    static func transfer(_ name: String, peak: Double) -> ScenarioFigures {
        let values = [FigureName.byteRate: [1.0], FigureName.peakMemory: [peak]]
        return ScenarioFigures(
            name: name, headings: [bytes, memory],
            clients: [ClientFigures(client: ClientName.sockeye, values: values)])
    }

    static func run(_ scenarios: ScenarioFigures...) -> RunResults {
        RunResults(
            facts: [
                RunResults.Fact(name: "Processor", value: "one <core>"), RunResults.Fact(name: "Date", value: "today"),
            ],
            rounds: 3, scenarios: scenarios)
    }
}
