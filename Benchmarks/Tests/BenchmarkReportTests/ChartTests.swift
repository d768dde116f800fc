import BenchmarkReport
import Testing

@Suite struct ChartTests {
    @Test(
        "A scale begins at zero and ends at a round number above the largest value",
        arguments: [
            ([211_000, 103_000], [0, 50_000, 100_000, 150_000, 200_000, 250_000]),
            ([12.4, 9.6], [0, 2.5, 5, 7.5, 10, 12.5]),
            ([0.3], [0, 0.1, 0.2, 0.3]), ([], [0, 0.2, 0.4, 0.6, 0.8, 1]),
        ] as [([Double], [Double])])
    func axis(values: [Double], ticks: [Double]) {
        let axis = Axis(largest: values)
        #expect(axis.ticks.map { ($0 * 1e6).rounded() } == ticks.map { ($0 * 1e6).rounded() })
        #expect(axis.limit == axis.ticks.last)
    }

    @Test("A client far beyond the others does not shorten their bars")
    func outlier() {
        #expect(Axis(largest: [326, 40, 12]).limit < 60)
        #expect(Axis(largest: [80, 40]).limit >= 80)
    }

    @Test(
        "Characters with a meaning in XML are escaped, and forbidden ones become spaces",
        arguments: [("a<b>&\"'c", "a&lt;b&gt;&amp;&quot;&#39;c"), ("µs – 1×", "µs – 1×"), ("a\u{1}b", "a b")])
    func escaping(text: String, escaped: String) {
        #expect(SVGElement.escaped(text) == escaped)
    }

    @Test("Elements are nested and indented, attributes escaped")
    func elements() {
        let element = SVGElement("g", ["id": "a\"b"], [SVGElement("text", ["x": "1"], text: "<"), SVGElement("rect")])
        #expect(element.rendered() == "<g id=\"a&quot;b\">\n  <text x=\"1\">&lt;</text>\n  <rect/>\n</g>")
    }

    @Test("Coordinates are tenths of a pixel", arguments: [(12, "12"), (0.04, "0"), (3.25, "3.3"), (7.96, "8")])
    func coordinates(value: Double, text: String) {
        #expect(SVGElement.number(value) == text)
    }

    @Test("A run has the charts whose figures it has, with every client and figure in them")
    func charts() throws {
        let gets = Made.gets(
            "get-c64", Made.client(ClientName.sockeye, rate: [98_345], cpu: [12]),
            Made.client(ClientName.urlSession, rate: [4306], cpu: [326]))
        let files = ChartFile.all(of: Made.run(gets))
        #expect(files.map(\.name) == ["overview.svg", "throughput.svg", "cpu.svg"])
        let svg = try #require(files.first).chart.svg
        for text in ["98.3k", "4,306", "12.0", "326", "URLSession", "one &lt;core&gt;", "prefers-color-scheme: dark"] {
            #expect(svg.contains(text), "\(text)")
        }
        // The largest bar is broken at the end of the scale.
        #expect(svg.contains("a broken bar exceeds the scale"))
        #expect(ChartFile.all(of: Made.run()).isEmpty)
    }
}
