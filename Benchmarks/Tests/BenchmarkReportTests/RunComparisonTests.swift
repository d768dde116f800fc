import BenchmarkReport
import Testing

@Suite struct RunComparisonTests {
    private func run(sockeye: Double, ahc: Double, wrk: Double = 1000) -> RunResults {
        Made.run(
            Made.gets(
                "get-c64", Made.client(ClientName.sockeye, rate: [sockeye]),
                Made.client(ClientName.asyncHTTPClient, rate: [ahc]), Made.client(ClientName.wrk, rate: [wrk])))
    }

    @Test("Runs on a machine of half the speed agree if the ratios do")
    func agreement() {
        let comparison = RunComparison(run(sockeye: 400, ahc: 100), run(sockeye: 210, ahc: 50))
        #expect(comparison.agrees)
        #expect(comparison.differences.count == 1)
    }

    @Test("A ratio may differ by as much as is tolerated, up or down", arguments: [(460.0, true), (461, false)])
    func tolerance(sockeye: Double, agrees: Bool) {
        let (one, two) = (run(sockeye: 400, ahc: 100), run(sockeye: sockeye, ahc: 100))
        #expect(RunComparison(one, two, tolerance: 0.15001).agrees == agrees)
        #expect(RunComparison(two, one, tolerance: 0.15001).agrees == agrees)
    }

    @Test("wrk is no peer")
    func practicalLimit() {
        let comparison = RunComparison(run(sockeye: 400, ahc: 100), run(sockeye: 400, ahc: 100, wrk: 1))
        #expect(comparison.agrees)
    }

    @Test("Runs without a common scenario do not agree")
    func nothingInCommon() {
        let comparison = RunComparison(run(sockeye: 1, ahc: 1), Made.run())
        #expect(!comparison.agrees)
        #expect(comparison.text() == "The runs have no ratio in common.")
    }

    @Test("The worst come first")
    func worst() {
        let (one, two) = (run(sockeye: 400, ahc: 100), run(sockeye: 800, ahc: 100))
        let text = RunComparison(one, two).text()
        #expect(text.contains("get-c64   async-http-client  req/s     4.00×    8.00×"))
        #expect(text.hasSuffix("1 differ by more than 15.0 %."))
    }
}
