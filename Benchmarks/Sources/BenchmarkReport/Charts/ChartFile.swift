/// A chart and the name of its file.
package struct ChartFile: Sendable {
    /// The folder of charts, in the folder of `RESULTS.md`.
    package static let folder = "Charts"

    package let name: String
    package let chart: BarChart

    /// The alternative text of the image.
    package var description: String { "\(chart.title): \(chart.subtitle)" }

    /// Formats a figure with three digits: `98.3k`, `12.0`, `0.550`.
    static func label(_ value: Double) -> String {
        let (scaled, suffix) = value >= 1e6 ? (value / 1e6, "M") : value >= 1e4 ? (value / 1e3, "k") : (value, "")
        return NumberStyle.significant.text(scaled) + suffix
    }

    /// Formats a number on a scale, with as few digits as possible: `50k`, `12`, `0.2`.
    static func tick(_ value: Double) -> String {
        let text = value == 0 ? "0" : label(value)
        let suffix = text.last.flatMap { $0.isNumber ? nil : String($0) } ?? ""
        guard text.contains(".") else { return text }
        let digits = text.dropLast(suffix.count).reversed().drop { $0 == "0" }
        return String((digits.first == "." ? digits.dropFirst() : digits).reversed()) + suffix
    }
}
