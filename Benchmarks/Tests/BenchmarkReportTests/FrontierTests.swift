import Testing

@testable import BenchmarkReport

@Suite struct FrontierTests {
    private func report(_ scenarios: ScenarioFigures...) -> String {
        MarkdownReport(RunResults(facts: [], rounds: 1, scenarios: scenarios), notes: nil, charts: []).text
    }

    private func client(_ name: String, rate: Double, user: Double, system: Double) -> ClientFigures {
        ClientFigures(
            client: name,
            values: [
                FigureName.requestRate: [rate], FigureName.cpu: [user + system], FigureName.userCPU: [user],
                FigureName.systemCPU: [system],
            ])
    }

    @Test("Ratios to hyper and wrk come before the targets, with the kernel's share")
    func leads() throws {
        let text = report(
            Made.gets(
                "get-c64", client(ClientName.sockeye, rate: 120, user: 2, system: 8),
                client(ClientName.hyper, rate: 100, user: 4, system: 8),
                client(ClientName.wrk, rate: 150, user: 1, system: 7)))
        #expect(text.contains("| get-c64 | 1.20× | 1.20× | 0.800× | 0.800× | 80 % |"))
        let (frontier, targets) = (text.firstRange(of: "## Compared with hyper"), text.firstRange(of: "## Targets"))
        #expect(try #require(frontier).lowerBound < #require(targets).lowerBound)
    }

    @Test("If cores are shared, Sockeye is compared with the clients that have several threads")
    func threads() {
        let text = report(
            Made.gets(
                "get-c64-shared", client(ClientName.sockeye, rate: 100, user: 1, system: 1),
                client(ClientName.hyper, rate: 400, user: 1, system: 1),
                client(ClientName.threaded(ClientName.hyper), rate: 50, user: 1, system: 1)))
        #expect(text.contains("| get-c64-shared | 2.00× | 1.00× | 50 % |"))
    }

    @Test("The report of a run with only Swift clients does not mention others")
    func without() {
        let text = report(Made.gets("get-c64", client(ClientName.sockeye, rate: 1, user: 1, system: 1)))
        #expect(!text.contains("Compared with hyper"))
        #expect(!text.contains("client's own"))
    }

    @Test("One table compares the counted figures of a small request")
    func ownWork() {
        let calls = Heading(
            figure: FigureName.systemCalls, title: "", unit: "calls/req", better: .lower, style: .significant,
            showsRange: false, ratioTitle: nil)
        let clients = [(ClientName.sockeye, 2.0), (ClientName.wrk, 3.0)].map { name, count in
            ClientFigures(client: name, values: [:], wholes: [FigureName.systemCalls: [count]])
        }
        let text = report(ScenarioFigures(name: "get-c1", headings: [calls], clients: clients))
        #expect(text.contains("| get-c1 | sockeye | 2.00 |\n| get-c1 | wrk | 3.00 |"))
    }

    @Test("Sockeye has targets against hyper and reqwest with and without TLS, on separate and on shared cores")
    func targets() {
        let subjects = Set(Target.frontier.map(\.subject))
        for name in ["get-c1", "get-tls-c256", "get-tls-c64-shared", "upload-1g-chunked"] {
            #expect(subjects.contains(name), "\(name)")
        }
        #expect(Target.frontier.first?.goal == "≥ hyper, reqwest")
    }
}
