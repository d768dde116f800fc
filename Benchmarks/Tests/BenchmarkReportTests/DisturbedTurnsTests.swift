import Testing

@testable import BenchmarkReport

@Suite struct DisturbedTurnsTests {
    @Test(
        "Only undisturbed turns count if at least two exist, or one of two turns",
        arguments: [
            ([0, 1, 2, 3], [], [0, 1, 2, 3]), ([0, 1, 2, 3], [0, 3], [1, 2]),
            ([0, 1, 2, 3], [0, 1, 3], [0, 1, 2, 3]),
            ([0, 1, 2, 3, 4, 5, 6], [0, 1, 2], [3, 4, 5, 6]),
            ([0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4], [5, 6]),
            ([0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5, 6]),
            ([0, 2], [0, 1], [2]), ([0], [0, 1], [0]), ([], [], []),
        ] as [([Int], Set<Int>, [Int])])
    func undisturbed(turns: [Int], disturbed: Set<Int>, chosen: [Int]) {
        #expect(CountedTurns.chosen(of: turns) { !disturbed.contains($0) } == chosen)
    }

    @Test(
        "If too few turns are undisturbed, turns with equal conditions count, if they are enough",
        arguments: [
            ([0], [0, 1, 2, 3], [0, 1, 2, 3]), ([0, 6], [0, 1, 2, 3], [0, 6]), ([], [0, 1], [0, 1, 2, 3, 4, 5, 6]),
        ] as [(Set<Int>, Set<Int>, [Int])])
    func alike(undisturbed: Set<Int>, alike: Set<Int>, chosen: [Int]) {
        #expect(
            CountedTurns.chosen(
                of: Array(0..<7), isUndisturbed: undisturbed.contains, isAlike: alike.contains) == chosen)
    }

    @Test(
        "Half of a few turns, five of some and a third of many are enough",
        arguments: [(0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (7, 4), (12, 5), (20, 6), (60, 20)])
    func enough(all: Int, enough: Int) {
        #expect(CountedTurns.enough(of: all) == enough)
    }

    private func client(_ name: String, _ rate: [Double?], disturbed: [Bool]) -> ClientFigures {
        ClientFigures(
            client: name, values: [FigureName.requestRate: rate], disturbed: disturbed,
            repeats: disturbed.map { _ in 1 })
    }

    @Test("A ratio is computed from the turns in which neither client was disturbed")
    func ratios() {
        let scenario = Made.gets(
            "get-c1", client("a", [400, 100, 300, 200], disturbed: [false, true, false, false]),
            client("b", [200, 100, 50, 100], disturbed: [false, false, true, false]))
        #expect(scenario.quotient(FigureName.requestRate, of: "a", by: "b") == 2)
    }

    @Test("If few turns are undisturbed, a ratio uses turns in which both clients were disturbed, or neither")
    func mixedTurns() {
        let scenario = Made.gets(
            "get-c1", client("a", [900, 100, 90, 200, 800], disturbed: [false, true, true, true, true]),
            client("b", [300, 50, 45, 200, 800], disturbed: [false, true, true, false, false]))
        #expect(scenario.quotient(FigureName.requestRate, of: "a", by: "b") == 2)
    }

    @Test("Two disturbed samples are not alike if the cores were near for one and far apart for the other")
    func distantCores() {
        func client(_ name: String, _ rate: [Double?], _ distances: [Double?]) -> ClientFigures {
            ClientFigures(
                client: name, values: [FigureName.requestRate: rate], disturbed: rate.map { _ in true },
                repeats: rate.map { _ in 0 }, coreDistances: distances)
        }
        let scenario = Made.gets(
            "get-c1", client("a", [200, 200, 100, 100], [80, 80, 400, nil]),
            client("b", [100, 100, 100, 50], [90, 70, 80, 400]))
        #expect(scenario.quotient(FigureName.requestRate, of: "a", by: "b") == 2)
        #expect(scenario.coreDistance(FigureName.requestRate, of: "a", by: "b") == 80)
    }

    @Test("A turn counts as undisturbed if every client has had it and none was disturbed")
    func undisturbedTurns() {
        let (fast, slow) = (MachineReading(cpu: 1, wall: 1), MachineReading(cpu: 2, wall: 2))
        func samples(_ readings: MachineReading...) -> ClientSamples {
            var samples = ClientSamples(client: "a")
            samples.conditions = readings.map { SampleConditions(before: $0, after: $0, repeats: 0) }
            return samples
        }
        var yardstick = Yardstick()
        yardstick.learn(fast)
        let clients = [samples(fast, fast, fast, fast), samples(fast, slow, fast)]
        #expect(CountedTurns.undisturbed(in: clients, by: yardstick) == 2)
        #expect(CountedTurns.undisturbed(in: [], by: yardstick) == 0)
    }

    @Test("The median is computed from undisturbed turns, and the range from all turns")
    func spread() throws {
        let figures = client("a", [10, 400, 20, nil], disturbed: [false, true, false, false])
        let spread = try #require(figures.spread(FigureName.requestRate))
        #expect((spread.median, spread.least, spread.most) == (15, 10, 400))
    }

    @Test("The report and the figures have the number of disturbed samples")
    func told() throws {
        let run = Made.run(
            Made.gets(
                "get-c1", client("a", [1, 2], disturbed: [false, true]), client("b", [1, 2], disturbed: [true, true])))
        let read = try RunResults(json: try run.json().utf8)
        #expect(read == run)
        let disturbances = try #require(Disturbances(read))
        #expect((disturbances.samples, disturbances.takenAgain, disturbances.disturbed) == (4, 4, 3))
        #expect(MarkdownReport(read, notes: nil, charts: []).text.contains("\n\nOf 4 samples, 4 were repeated."))
    }

    @Test("Older results without disturbances are decoded, and the report does not mention disturbances")
    func older() throws {
        let json = """
            {"facts":[],"rounds":1,"scenarios":[{"clients":[{"client":"a","errors":0,"values":{"cpu":[1,null]}}],\
            "headings":[],"name":"get-c1"}]}
            """
        let run = try RunResults(json: json.utf8)
        #expect(run.scenarios[0].clients[0].median(FigureName.cpu) == 1)
        #expect(Disturbances(run) == nil)
        #expect(!MarkdownReport(run, notes: nil, charts: []).text.contains("were repeated"))
    }
}
