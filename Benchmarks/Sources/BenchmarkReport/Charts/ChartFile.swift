/// A chart and the file that it is kept in.
package struct ChartFile: Sendable {
    /// The folder of charts, beside `RESULTS.md`.
    package static let folder = "Charts"

    package let name: String
    package let chart: BarChart

    /// What it shows, for those who do not see it.
    package var description: String { "\(chart.title): \(chart.subtitle)" }

    /// A number with as few digits as tell it: `98.3k`, `12`, `0.55`.
    static func short(_ value: Double) -> String {
        if value == 0 { return "0" }
        let (scaled, suffix) = value >= 1e6 ? (value / 1e6, "M") : value >= 1e4 ? (value / 1e3, "k") : (value, "")
        let text = NumberStyle.significant.text(scaled)
        guard text.contains(".") else { return text + suffix }
        let digits = text.reversed().drop { $0 == "0" }
        return String((digits.first == "." ? digits.dropFirst() : digits).reversed()) + suffix
    }
}
