extension BarChart {
    /// Draws the title of a panel, its grid lines at round numbers and these numbers.
    func grid(of index: Int, _ axis: Axis, _ layout: ChartLayout) -> [SVGElement] {
        let panel = panels[index]
        let (x, width) = layout.panels[index]
        let top = SVGElement.number(ChartLayout.top - 6)
        let titles = [
            SVGElement("text", ["class": "panel", "x": SVGElement.number(x), "y": "117"], text: panel.title),
            SVGElement("text", ["class": "hint", "x": SVGElement.number(x), "y": "131"], text: panel.hint),
        ]
        let lines = axis.ticks.flatMap { tick in
            let position = SVGElement.number(x + tick / axis.limit * width)
            return [
                SVGElement(
                    "line",
                    [
                        "class": tick == 0 ? "base" : "grid", "x1": position, "x2": position, "y1": top,
                        "y2": SVGElement.number(layout.bottom),
                    ]),
                SVGElement(
                    "text",
                    [
                        "class": "tick", "x": position, "y": SVGElement.number(layout.bottom + 15),
                        "text-anchor": "middle",
                    ], text: ChartFile.tick(tick)),
            ]
        }
        return titles + lines
    }

    /// Draws a group: its title, the names of the clients and their bars.
    func drawn(_ group: Group, at top: Double, _ axes: [Axis], _ layout: ChartLayout) -> [SVGElement] {
        let middle = top + Double(group.rows.count) * ChartLayout.rowHeight / 2
        let titles = group.title.enumerated().map { line, text in
            let offset = (Double(line) - Double(group.title.count - 1) / 2) * 15 + 4
            return SVGElement(
                "text",
                [
                    "class": "panel", "x": SVGElement.number(ChartLayout.margin),
                    "y": SVGElement.number(middle + offset),
                ],
                text: text)
        }
        let rows = group.rows.enumerated().flatMap { index, row in
            drawn(row, at: top + (Double(index) + 0.5) * ChartLayout.rowHeight, axes, layout)
        }
        return titles + rows
    }

    private func drawn(_ row: Row, at middle: Double, _ axes: [Axis], _ layout: ChartLayout) -> [SVGElement] {
        let isOurs = row.client == ClientName.sockeye
        let name = SVGElement(
            "text",
            [
                "class": isOurs ? "name ours" : "name", "x": SVGElement.number(layout.namesEnd),
                "y": SVGElement.number(middle + 4), "text-anchor": "end",
            ], text: row.client)
        let bars = panels.indices.flatMap { panel in
            let (x, width) = layout.panels[panel]
            guard let bar = row.bars[panel] else {
                return [text("absent", "–", x: x + 6, middle)]
            }
            return drawn(bar, of: row.client, from: x, scale: width / axes[panel].limit, limit: x + width, at: middle)
        }
        return [name] + bars
    }

    private func drawn(
        _ bar: Bar, of client: String, from x: Double, scale: Double, limit: Double, at middle: Double
    ) -> [SVGElement] {
        let end = min(x + bar.spread.median * scale, limit)
        let isBroken = x + bar.spread.median * scale > limit + 0.5
        let shape = SVGElement(
            "rect",
            [
                "class": ChartStyle.bar(of: client), "x": SVGElement.number(x),
                "y": SVGElement.number(middle - ChartLayout.barHeight / 2), "width": SVGElement.number(max(1, end - x)),
                "height": SVGElement.number(ChartLayout.barHeight),
            ])
        if isBroken {
            return [shape, fracture(at: end - 14, middle), text("value", bar.label, x: end + 6, middle)]
        }
        let most = min(x + bar.spread.most * scale, limit)
        let range =
            bar.spread.least < bar.spread.most ? whisker(from: x + bar.spread.least * scale, to: most, at: middle) : []
        return [shape] + range + [text("value", bar.label, x: max(end, most) + 6, middle)]
    }

    private func text(_ style: String, _ text: String, x: Double, _ middle: Double) -> SVGElement {
        SVGElement(
            "text", ["class": style, "x": SVGElement.number(x), "y": SVGElement.number(middle + 4)], text: text)
    }

    /// Draws two slanted lines across a bar that exceeds the scale.
    private func fracture(at x: Double, _ middle: Double) -> SVGElement {
        let (top, bottom) = (middle - ChartLayout.barHeight / 2 - 1, middle + ChartLayout.barHeight / 2 + 1)
        let lines = [x, x + 5].map { x in
            "M\(SVGElement.number(x)) \(SVGElement.number(bottom))L\(SVGElement.number(x + 4)) \(SVGElement.number(top))"
        }
        return SVGElement("path", ["class": "break", "d": lines.joined()])
    }

    /// Draws a whisker, a line with end marks for the range of a figure.
    func whisker(from start: Double, to end: Double, at middle: Double) -> [SVGElement] {
        let (left, right, y) = (SVGElement.number(start), SVGElement.number(end), SVGElement.number(middle))
        let (top, bottom) = (SVGElement.number(middle - 3), SVGElement.number(middle + 3))
        let path = "M\(left) \(y)H\(right)M\(left) \(top)V\(bottom)M\(right) \(top)V\(bottom)"
        return [SVGElement("path", ["class": "range", "d": path])]
    }
}
