import BenchmarkReport
import Testing

@Suite struct TextTableTests {
    private let table = TextTable(
        headings: ["client", "req/s", "CPU µs"], rows: [["sockeye", "98,345", "12.0"], ["wrk", "5", "–"]])

    @Test("Names are left-aligned, figures right-aligned")
    func alignment() {
        #expect(
            table.terminal() == """
                client    req/s  CPU µs
                sockeye  98,345    12.0
                wrk           5       –
                """)
    }

    @Test("Columns that do not fit follow below with the names repeated")
    func blocks() {
        #expect(
            table.terminal(width: 18) == """
                client    req/s
                sockeye  98,345
                wrk           5

                client   CPU µs
                sockeye    12.0
                wrk           –
                """)
    }

    @Test("A table that is wider than the terminal is still shown completely")
    func narrow() {
        #expect(table.terminal(width: 1) == table.terminal(width: 18))
    }

    @Test("Markdown tables align columns in their second row")
    func markdown() {
        #expect(table.markdown.hasPrefix("| client | req/s | CPU µs |\n| --- | ---: | ---: |\n| sockeye |"))
    }

    @Test("A table of a scenario has medians, ranges and ratios to the first client")
    func scenario() {
        let scenario = Made.gets(
            "get-c1", Made.client("sockeye", rate: [100, 300, 200], cpu: [1]),
            Made.client("URLSession", rate: [50, 150, 100], errors: 7), Made.client("wrk"))
        let medians = ScenarioTable(scenario).medians
        #expect(medians.headings == ["client", "req/s", "min–max", "speed ratio", "CPU µs/req", "errors"])
        #expect(
            medians.rows == [
                ["sockeye", "200", "100–300", "1.00×", "1.00", "0"],
                ["URLSession", "100", "50–150", "2.00×", "–", "7"],
                ["wrk", "–", "–", "–", "–", "0"],
            ])
    }

    @Test("The table of ranges omits figures that were measured once")
    func ranges() {
        let scenario = Made.gets("get-c1", Made.client("sockeye", rate: [100, 300], cpu: [1]))
        #expect(ScenarioTable(scenario).ranges.headings == ["client", "req/s"])
        #expect(ScenarioTable(scenario).ranges.rows == [["sockeye", "100–300"]])
    }
}
