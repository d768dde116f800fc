/// The content of a bar chart: groups of clients from top to bottom, and a panel for each figure from left to right.
package struct BarChart: Sendable {
    /// The bar of one client in one panel.
    package struct Bar: Sendable {
        package let spread: Spread
        package let label: String

        package init(spread: Spread, label: String) {
            self.spread = spread
            self.label = label
        }
    }

    package struct Row: Sendable {
        package let client: String
        /// A bar for each panel; nil if the client did not take part.
        package let bars: [Bar?]

        package init(client: String, bars: [Bar?]) {
            self.client = client
            self.bars = bars
        }
    }

    package struct Group: Sendable {
        /// The lines of the title.
        package let title: [String]
        package let rows: [Row]

        package init(title: [String], rows: [Row]) {
            self.title = title
            self.rows = rows
        }
    }

    package struct Panel: Sendable {
        package let title: String
        /// The better direction in words.
        package let hint: String

        package init(title: String, hint: String) {
            self.title = title
            self.hint = hint
        }
    }

    package let title: String
    package let subtitle: String
    package let panels: [Panel]
    package let groups: [Group]
    package let footnote: String
    /// True if all panels have the largest scale of any panel.
    package let sharesAxis: Bool

    package init(
        title: String, subtitle: String, panels: [Panel], groups: [Group], footnote: String, sharesAxis: Bool = false
    ) {
        self.title = title
        self.subtitle = subtitle
        self.panels = panels
        self.groups = groups
        self.footnote = footnote
        self.sharesAxis = sharesAxis
    }

    /// The scale of each panel.
    package var axes: [Axis] {
        let own = panels.indices.map { largest(in: [$0]) }
        let shared = Axis(largest: largest(in: Array(panels.indices)))
        return own.map { sharesAxis ? shared : Axis(largest: $0) }
    }

    /// Returns the largest value of each client in the given panels.
    private func largest(in panels: [Int]) -> [Double] {
        var byClient: [String: Double] = [:]
        for row in groups.flatMap(\.rows) {
            for panel in panels {
                byClient[row.client] = max(byClient[row.client] ?? 0, row.bars[panel]?.spread.most ?? 0)
            }
        }
        return Array(byClient.values)
    }
}
