/// The positions of the parts of a chart, in pixels.
struct ChartLayout {
    static let width = 880.0
    static let margin = 24.0
    static let barHeight = 12.0
    static let rowHeight = 18.0
    static let groupGap = 16.0
    /// The space for the figure after the longest bar.
    static let labelWidth = 52.0
    static let panelGap = 24.0
    /// The top of the first group, below title, legend and the titles of panels.
    static let top = 142.0

    /// The right end of the names of clients.
    let namesEnd: Double
    /// The left end of each panel, and the width for its bars.
    let panels: [(x: Double, width: Double)]
    /// The top of each group.
    let groups: [Double]
    /// The lower end of the bars.
    let bottom: Double

    init(_ chart: BarChart) {
        let titles = chart.groups.flatMap(\.title).map { Self.width(of: $0, size: 12.5) }.max() ?? 0
        let names = chart.groups.flatMap(\.rows).map { Self.width(of: $0.client, size: 12.5) }.max() ?? 0
        namesEnd = Self.margin + titles + 16 + names
        let left = namesEnd + 10
        let share = (Self.width - Self.margin - left + Self.panelGap) / Double(max(1, chart.panels.count))
        panels = chart.panels.indices.map { index in
            (left + Double(index) * share, share - Self.panelGap - Self.labelWidth)
        }
        var (tops, y) = ([Double](), Self.top)
        for group in chart.groups {
            tops.append(y)
            y += Double(group.rows.count) * Self.rowHeight + Self.groupGap
        }
        groups = tops
        bottom = y - Self.groupGap + 6
    }

    var height: Double { bottom + 58 }

    /// Returns the estimated width of a text, rather too large, because fonts differ.
    static func width(of text: String, size: Double) -> Double {
        text.reduce(0) { sum, character in
            switch character {
            case "i", "j", "l", "I", ".", ",", ":", "'", "|": sum + 0.31
            case " ", "f", "r", "t", "-", "/", "(", ")": sum + 0.4
            case "m", "w", "M", "W": sum + 0.92
            default: sum + (character.isUppercase ? 0.7 : 0.61)
            }
        } * size
    }
}
