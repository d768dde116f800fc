import Testing

@testable import BenchmarkKit
@testable import BenchmarkReport

@Suite struct ColumnTests {
    private let sample = Sample(
        requests: 2000, bytes: 4_000_000_000, seconds: 2, user: 0.3, system: 0.1, instructions: 8_000_000,
        p50: 10, p99: 20, p999: 30, idleKiB: 10_000, peakKiB: 15_000, errors: 1)

    @Test(
        "A scenario of requests has figures per request",
        arguments: [
            (FigureName.requestRate, 1000), (FigureName.cpu, 200), (FigureName.userCPU, 150),
            (FigureName.systemCPU, 50), (FigureName.instructions, 4), (FigureName.p99, 20),
            (FigureName.peakMemory, 15.36), (FigureName.grownMemory, 5.12),
        ] as [(String, Double)])
    func requests(figure: String, value: Double) throws {
        let column = try #require(Column.requests.first { $0.heading.figure == figure })
        #expect(try abs(#require(column.value(sample)) - value) < 1e-9)
    }

    @Test("A scenario of bytes has figures per gigabyte")
    func transfers() throws {
        let columns = Column.transfers
        let rate = try #require(columns.first { $0.heading.figure == FigureName.byteRate })
        let cpu = try #require(columns.first { $0.heading.figure == FigureName.cpu })
        #expect(rate.value(sample) == 2)
        #expect(try abs(#require(cpu.value(sample)) - 0.1) < 1e-9)
    }

    @Test("Uncounted figures are missing, and counts and figures of whole processes come from separate samples")
    func uncounted() throws {
        var samples = ClientSamples(client: "a")
        samples.turns = [sample, nil]
        samples.failures = 1
        var whole = sample
        whole.p999 = 40
        samples.processes = [whole]
        var counted = sample
        counted.instructions = 0
        counted.allocations = 5000
        samples.allocations = counted
        let figures = ClientFigures(samples, columns: Column.requests)
        #expect(figures.values[FigureName.requestRate] == [1000, nil])
        #expect(figures.wholes[FigureName.allocations] == [2.5])
        #expect(figures.wholes[FigureName.instructions] == nil)
        #expect(figures.median(FigureName.p999) == 40)
        #expect(figures.errors == 2)
        samples.instructions = sample
        #expect(ClientFigures(samples, columns: Column.requests).all(FigureName.instructions) == [4])
    }

    @Test("A turn in which a client has no part is not a failure")
    func otherTurns() {
        var samples = ClientSamples(client: "a")
        samples.turns = [sample, nil, nil]
        #expect(ClientFigures(samples, columns: Column.requests).errors == 1)
    }

    @Test("A column in which no client has a figure is omitted")
    func emptyColumns() {
        var samples = ClientSamples(client: "a")
        samples.turns = [sample]
        let scenario = ScenarioFigures(
            ScenarioSamples(scenario: "s", clients: [samples]), columns: Column.requests)
        #expect(scenario.heading(FigureName.allocations) == nil)
        #expect(scenario.heading(FigureName.cpu) != nil)
    }

    @Test("A process without requests has no figures")
    func nothingAnswered() {
        var failed = sample
        failed.requests = 0
        var samples = ClientSamples(client: "a")
        samples.turns = [failed]
        #expect(ClientFigures(samples, columns: Column.requests).values.isEmpty)
    }
}
