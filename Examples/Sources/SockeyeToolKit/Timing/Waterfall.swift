/// A timeline as a text chart: a row for each phase, with a bar at the time of the phase.
package struct Waterfall: Sendable {
    private static let nameWidth = 8
    private static let timeWidth = 8
    private static let widestChart = 60
    private static let narrowestChart = 8

    private let timeline: CallTimeline
    private let style: TextStyle
    private let glyphs: Glyphs

    package init(_ timeline: CallTimeline, style: TextStyle = .plain, glyphs: Glyphs = .blocks) {
        self.timeline = timeline
        self.style = style
        self.glyphs = glyphs
    }

    /// Returns the rows. Rows with bars have at most `width` columns; if there is no room for bars, only figures are
    /// shown.
    package func lines(width: Int) -> [String] {
        let chart = min(Self.widestChart, width - Self.nameWidth - Self.timeWidth - 6)
        var lines: [String] = []
        for exchange in timeline.exchanges {
            let status = exchange.status.map { style.status($0, "\($0)") } ?? style("failed", .red)
            lines.append("\(exchange.title) \(status)")
            if !exchange.connection.isEmpty {
                lines.append("  " + style(exchange.connection.joined(separator: ", "), .gray))
            }
            lines += exchange.phases.map { row($0, chart) }
        }
        let received = timeline.exchanges.reduce(0) { $0 + $1.bytesReceived }
        lines.append("in all \(Figures.time(timeline.duration)), \(Figures.bytes(received)) received")
        return lines
    }

    private func row(_ phase: CallTimeline.Phase, _ chart: Int) -> String {
        let name = "  " + phase.name.left(Self.nameWidth)
        let time = Figures.time(phase.duration).right(Self.timeWidth)
        guard chart >= Self.narrowestChart else { return name + time }
        let (offset, length) = cells(phase, of: chart)
        let bar = String(repeating: glyphs.full, count: length)
        let space = String(repeating: " ", count: offset)
        let rest = String(repeating: " ", count: chart - offset - length)
        return name + "  " + space + style(bar, Self.color(phase.name)) + rest + time
    }

    /// Returns the offset and the length of a phase's bar. It has at least one cell and never exceeds the chart.
    func cells(_ phase: CallTimeline.Phase, of chart: Int) -> (offset: Int, length: Int) {
        let whole = max(timeline.duration, phase.end)
        guard whole > .zero else { return (0, 1) }
        let offset = min(chart - 1, Int(phase.start / whole * Double(chart)))
        let end = min(chart, Int((phase.end / whole * Double(chart)).rounded()))
        return (offset, max(1, end - offset))
    }

    private static func color(_ name: String) -> TextStyle.Color {
        switch name {
        case "resolve": .cyan
        case "connect": .yellow
        case "tls": .magenta
        case "wait": .green
        case "receive": .blue
        default: .gray
        }
    }
}
