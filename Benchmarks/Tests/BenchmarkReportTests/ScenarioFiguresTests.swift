import BenchmarkReport
import Testing

@Suite struct ScenarioFiguresTests {
    @Test("A ratio is the median of the ratios of each turn, not that of the medians")
    func pairedRatios() {
        // The machine slows down from turn to turn, and both clients with it.
        let scenario = Made.gets(
            "get-c1", Made.client("a", rate: [400, 200, 100]), Made.client("b", rate: [200, 100, 50]))
        #expect(scenario.quotient(FigureName.requestRate, of: "a", by: "b") == 2)
        let crossed = Made.gets("get-c1", Made.client("a", rate: [1, 10, 100]), Made.client("b", rate: [100, 1, 10]))
        #expect(crossed.quotient(FigureName.requestRate, of: "a", by: "b") == 10)
    }

    @Test("A turn in which one of the two clients failed is omitted from their ratio")
    func failedRounds() {
        let scenario = Made.gets(
            "get-c1", Made.client("a", rate: [100, nil, 300]), Made.client("b", rate: [50, 1, nil]))
        #expect(scenario.quotient(FigureName.requestRate, of: "a", by: "b") == 2)
    }

    @Test("An advantage is above 1 for the better client, whichever direction is better")
    func advantages() {
        let scenario = Made.gets(
            "get-c1", Made.client("a", rate: [100], cpu: [10]), Made.client("b", rate: [50], cpu: [40]))
        #expect(scenario.advantage(FigureName.requestRate, of: "a", over: "b") == 2)
        #expect(scenario.advantage(FigureName.cpu, of: "a", over: "b") == 4)
        #expect(scenario.advantage(FigureName.cpu, of: "a", over: "nobody") == nil)
    }

    @Test("A run that was written as JSON is read back unchanged")
    func roundTrip() throws {
        let run = Made.run(
            Made.gets("get-c1", Made.client("a", rate: [100.5, nil], cpu: [1e-5, 2]), Made.client("b", rate: [3])))
        let json = try run.json()
        #expect(try RunResults(json: json.utf8) == run)
        // Each client has a line, so that ordinary tools can compare two runs.
        #expect(json.split(separator: "\n").count == 4)
    }
}
