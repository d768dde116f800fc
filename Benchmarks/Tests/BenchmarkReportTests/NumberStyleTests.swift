import Testing

@testable import BenchmarkReport

@Suite struct NumberStyleTests {
    @Test(
        "Figures have three significant digits, or all digits before the point",
        arguments: [
            (0, "0.000"), (0.0789, "0.079"), (0.9996, "1.00"), (1.234, "1.23"), (9.999, "10.0"), (12.34, "12.3"),
            (99.96, "100"), (999.6, "1,000"), (98_345, "98,345"), (1_234_567, "1,234,567"), (-12.34, "-12.3"),
        ] as [(Double, String)])
    func significant(value: Double, text: String) {
        #expect(NumberStyle.significant.text(value) == text)
    }

    @Test("Whole numbers have no decimals", arguments: [(1.6, "2"), (98_345.4, "98,345")] as [(Double, String)])
    func whole(value: Double, text: String) {
        #expect(NumberStyle.whole.text(value) == text)
    }

    @Test("A missing or non-finite value is shown as a dash", arguments: [nil, Double.nan, .infinity])
    func absent(value: Double?) {
        #expect(NumberStyle.significant.text(value) == "–")
    }

    @Test(
        "Labels of bars have three digits, and scales as few as possible",
        arguments: [
            (98_345, "98.3k", "98.3k"), (50_000, "50.0k", "50k"), (0.2, "0.200", "0.2"), (4306, "4,306", "4,306"),
        ]
            as [(Double, String, String)])
    func charts(value: Double, label: String, tick: String) {
        #expect(ChartFile.label(value) == label)
        #expect(ChartFile.tick(value) == tick)
    }
}
