import BenchmarkReport
import Testing

@Suite struct RunComparisonTests {
    private func run(sockeye: Double, ahc: Double, wrk: Double = 1000) -> RunResults {
        Made.run(
            Made.gets(
                "get-c64", Made.client(ClientName.sockeye, rate: [sockeye]),
                Made.client(ClientName.asyncHTTPClient, rate: [ahc]), Made.client(ClientName.wrk, rate: [wrk])))
    }

    @Test("Runs on machines of different speeds agree if their ratios agree")
    func agreement() {
        let comparison = RunComparison(run(sockeye: 400, ahc: 100), run(sockeye: 210, ahc: 50))
        #expect(comparison.agrees)
        #expect(comparison.differences.count == 1)
    }

    @Test("A ratio may differ by the tolerance in both directions", arguments: [(460.0, true), (461, false)])
    func tolerance(sockeye: Double, agrees: Bool) {
        let (one, two) = (run(sockeye: 400, ahc: 100), run(sockeye: sockeye, ahc: 100))
        #expect(RunComparison(one, two, tolerance: 0.15001).agrees == agrees)
        #expect(RunComparison(two, one, tolerance: 0.15001).agrees == agrees)
    }

    @Test("Ratios to wrk are not compared")
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

    @Test("The largest differences come first")
    func worst() {
        let (one, two) = (run(sockeye: 400, ahc: 100), run(sockeye: 800, ahc: 100))
        let text = RunComparison(one, two).text()
        #expect(text.contains("get-c64   async-http-client  req/s     4.00×    8.00×"))
        #expect(text.hasSuffix("1 ratio differs by more than 15.0 %."))
    }

    private func run(sockeye: Double, distance: Double) -> RunResults {
        func client(_ name: String, _ rate: Double) -> ClientFigures {
            ClientFigures(client: name, values: [FigureName.requestRate: [rate]], coreDistances: [distance])
        }
        return Made.run(
            Made.gets("get-c64", client(ClientName.sockeye, sockeye), client(ClientName.asyncHTTPClient, 100)))
    }

    @Test("If one run had near cores and the other far ones, their ratios are not compared, and the text says so")
    func distantCores() {
        let comparison = RunComparison(run(sockeye: 400, distance: 80), run(sockeye: 300, distance: 410))
        #expect(!comparison.agrees)
        let text = comparison.text()
        #expect(text.contains("ratio 1  ratio 2  differs by  cores 1  cores 2\n"))
        #expect(text.contains("4.00×    3.00×      33.3 %    80 ns   410 ns\n"))
        #expect(text.contains("No ratio was measured with equally distant cores in both runs."))
        #expect(text.contains("1 more ratio was measured with near cores in one run and far cores in the other."))
    }

    @Test("A run with near and far cores is compared by the turns with the other run's distance")
    func bothDistances() {
        func run(_ sockeye: [Double], _ distances: [Double]) -> RunResults {
            func client(_ name: String, _ rate: [Double]) -> ClientFigures {
                ClientFigures(
                    client: name, values: [FigureName.requestRate: rate], disturbed: distances.map { $0 > 200 },
                    coreDistances: distances)
            }
            return Made.run(
                Made.gets(
                    "get-c64", client(ClientName.sockeye, sockeye),
                    client(ClientName.asyncHTTPClient, sockeye.map { _ in 100 })))
        }
        let both = run([400, 400, 400, 300, 310, 320], [80, 80, 80, 400, 410, 420])
        let far = run([320, 320, 320], [380, 380, 380])
        for comparison in [RunComparison(both, far), RunComparison(far, both)] {
            #expect(comparison.agrees)
            let ratios = comparison.differences.map { [$0.first, $0.second].sorted() }
            #expect(ratios == [[3.1, 3.2]])
        }
    }

    @Test("Equal distances of the cores do not excuse different ratios")
    func nearCores() {
        let text = RunComparison(run(sockeye: 400, distance: 80), run(sockeye: 300, distance: 100)).text()
        #expect(text.hasSuffix("1 ratio differs by more than 15.0 %."))
    }

    @Test("If only one run has distances of the cores, the text does not mention them")
    func unknownDistance() {
        let text = RunComparison(run(sockeye: 400, ahc: 100), run(sockeye: 300, distance: 100)).text()
        #expect(!text.contains("cores"))
    }
}
