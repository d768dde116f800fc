import Testing

@testable import BenchmarkReport

@Suite struct TargetTests {
    private func rate(_ bound: Target.Bound, _ factor: Double, _ yardstick: Target.Yardstick) -> Target {
        Target(
            client: ClientName.sockeye, scope: .scenario("get-c64"), figure: FigureName.requestRate,
            title: "requests/s", bound: bound, factor: factor, yardstick: yardstick)
    }

    private func cpu(_ factor: Double, _ yardstick: Target.Yardstick) -> Target {
        Target(
            client: ClientName.sockeye, scope: .scenario("get-c64"), figure: FigureName.cpu, title: "CPU/request",
            bound: .atMost, factor: factor, yardstick: yardstick)
    }

    private let ahc = Target.Yardstick.clients([ClientName.asyncHTTPClient])
    private let run = Made.run(
        Made.gets(
            "get-c64", Made.client(ClientName.sockeye, rate: [400], cpu: [10]),
            Made.client(ClientName.asyncHTTPClient, rate: [100], cpu: [40]),
            Made.client(ClientName.libcurl, rate: [500], cpu: [8])),
        Made.gets("get-c1", Made.client(ClientName.sockeye, rate: [200])))

    @Test("A target is met by a larger value and by the exact value")
    func met() {
        #expect(rate(.atLeast, 3, ahc).outcome(in: run).verdict == "met")
        #expect(rate(.atLeast, 4, ahc).outcome(in: run).verdict == "met")
        #expect(cpu(0.25, ahc).outcome(in: run).verdict == "met")
    }

    @Test("A strict target is not met by the exact value")
    func strict() {
        #expect(rate(.moreThan, 4, ahc).outcome(in: run).isMissed)
        #expect(rate(.lessThan, 4, ahc).outcome(in: run).isMissed)
    }

    @Test("The verdict of a missed target has the size of the miss")
    func missed() {
        #expect(rate(.atLeast, 5, ahc).outcome(in: run).verdict == "missed by 20 %")
        #expect(cpu(0.2, ahc).outcome(in: run).verdict == "missed by 25 %")
        #expect(rate(.atLeast, 4.001, ahc).outcome(in: run).verdict == "missed by less than 1 %")
        #expect(rate(.atLeast, 5, ahc).outcome(in: run).measuredText == "4.00× (400 to 100)")
    }

    @Test("The worst of several clients counts, and clients that did not run are ignored")
    func worstPeer() {
        let outcome = rate(.moreThan, 1, .clients(ClientName.peers)).outcome(in: run)
        #expect(outcome.verdict == "missed by 20 %")
        #expect(outcome.measuredText == "0.800× (400 to 500 of libcurl)")
    }

    @Test("A client can be compared with one in another scenario")
    func elsewhere() {
        let itself = Target.Yardstick.elsewhere(client: ClientName.sockeye, scenario: "get-c1")
        #expect(rate(.atLeast, 0.9, itself).outcome(in: run).measuredText == "2.00× (400 to 200)")
    }

    @Test("A fixed value is compared with the worst of all transfers")
    func everyTransfer() {
        let target = Target(
            client: ClientName.sockeye, scope: .everyTransfer, figure: FigureName.peakMemory, title: "RSS",
            bound: .lessThan, factor: 24, yardstick: .value(unit: "MB"))
        let run = Made.run(Made.transfer("download", peak: 18), Made.transfer("upload", peak: 30))
        #expect(target.outcome(in: run).measuredText == "30.0 MB (upload)")
        #expect(target.outcome(in: run).verdict == "missed by 25 %")
    }

    @Test("A target whose figures were not measured is reported as not measured")
    func notMeasured() {
        let wrk = rate(.atLeast, 1, .clients([ClientName.wrk])).outcome(in: run)
        #expect(wrk == .notMeasured("no figures of wrk"))
        #expect(rate(.atLeast, 1, ahc).outcome(in: Made.run()) == .notMeasured("get-c64 did not run"))
        let nowhere = Target.Yardstick.elsewhere(client: ClientName.wrk, scenario: "x")
        #expect(rate(.atLeast, 1, nowhere).outcome(in: run) == .notMeasured("no figures of wrk in x"))
    }

    @Test("Goals are written in words and signs")
    func goals() {
        #expect(rate(.atLeast, 5, ahc).goal == "≥ 5 × async-http-client")
        #expect(cpu(0.2, ahc).goal == "≤ 1/5 × async-http-client")
        #expect(cpu(1.5, .clients(["wrk"])).goal == "≤ 1.5 × wrk")
        #expect(rate(.moreThan, 1, .clients(ClientName.peers)).goal == "> every other library")
        #expect(rate(.atLeast, 0.9, .elsewhere(client: "a", scenario: "s")).goal == "≥ 0.9 × a, s")
        #expect(cpu(4, .value(unit: "KiB")).goal == "≤ 4 KiB")
    }

    @Test("The summary counts the targets that were met, missed and not measured")
    func summary() {
        let table = TargetTable(run, targets: [rate(.atLeast, 3, ahc), cpu(0.2, ahc), cpu(1, .clients(["wrk"]))])
        #expect(table.summary == "1 of 3 targets met, 1 missed, 1 not measured.")
        #expect(table.ran.rows.map { $0[5] } == ["met", "missed by 25 %"])
        #expect(table.table.rows.map { $0[5] } == ["met", "**missed by 25 %**", "not measured"])
    }

    @Test("The ceiling is wrk's advantage in each scenario")
    func ceiling() {
        let run = Made.run(
            Made.gets(
                "get-c64", Made.client(ClientName.asyncHTTPClient, rate: [100], cpu: [40]),
                Made.client(ClientName.wrk, rate: [450], cpu: [5])))
        #expect(PracticalCeiling(run).table?.rows == [["get-c64", "4.50×", "8.00×"]])
        #expect(PracticalCeiling(self.run).table == nil)
    }
}
