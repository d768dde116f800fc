import Testing

@testable import BenchmarkReport

@Suite struct DisturbedRoundsTests {
    @Test(
        "Disturbed rounds do not count where at least half of the rounds that have a value remain",
        arguments: [
            ([1, 2, 3, 4], [], [1, 2, 3, 4]), ([1, 2, 3, 4], [0, 3], [2, 3]),
            ([1, 2, 3, 4], [0, 1, 3], [1, 2, 3, 4]),
            ([1, nil, 3, nil], [0, 1], [3]), ([1, nil], [0, 1], [1]), ([nil], [], []),
        ] as [([Double?], Set<Int>, [Double])])
    func counted(values: [Double?], disturbed: Set<Int>, counted: [Double]) {
        #expect(CountedRounds.values(values) { disturbed.contains($0) } == counted)
    }

    private func client(_ name: String, _ rate: [Double?], disturbed: [Bool]) -> ClientFigures {
        ClientFigures(
            client: name, values: [FigureName.requestRate: rate], disturbed: disturbed,
            repeats: disturbed.map { _ in 1 })
    }

    @Test("A ratio is of the rounds in which neither of the two was disturbed")
    func ratios() {
        let scenario = Made.gets(
            "get-c1", client("a", [400, 100, 300, 200], disturbed: [false, true, false, false]),
            client("b", [200, 100, 50, 100], disturbed: [false, false, true, false]))
        #expect(scenario.quotient(FigureName.requestRate, of: "a", by: "b") == 2)
    }

    @Test("A median is of the undisturbed rounds, and a range of all")
    func spread() throws {
        let figures = client("a", [10, 400, 20, nil], disturbed: [false, true, false, false])
        let spread = try #require(figures.spread(FigureName.requestRate))
        #expect((spread.median, spread.least, spread.most) == (15, 10, 400))
    }

    @Test("How many samples met a disturbed machine is told, and is kept with the figures")
    func told() throws {
        let run = Made.run(
            Made.gets(
                "get-c1", client("a", [1, 2], disturbed: [false, true]), client("b", [1, 2], disturbed: [true, true])))
        let read = try RunResults(json: try run.json().utf8)
        #expect(read == run)
        let disturbances = try #require(Disturbances(read))
        #expect((disturbances.samples, disturbances.takenAgain, disturbances.disturbed) == (4, 4, 3))
        #expect(MarkdownReport(read, notes: nil, charts: []).text.contains("\n\nOf 4 samples 4 were taken again"))
    }

    @Test("Results from before this was looked at are read, and say nothing of it")
    func older() throws {
        let json = """
            {"facts":[],"rounds":1,"scenarios":[{"clients":[{"client":"a","errors":0,"values":{"cpu":[1,null]}}],\
            "headings":[],"name":"get-c1"}]}
            """
        let run = try RunResults(json: json.utf8)
        #expect(run.scenarios[0].clients[0].median(FigureName.cpu) == 1)
        #expect(Disturbances(run) == nil)
        #expect(!MarkdownReport(run, notes: nil, charts: []).text.contains("taken again"))
    }
}
