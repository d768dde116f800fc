extension BarChart {
    /// The chart as an SVG file.
    package var svg: String {
        let layout = ChartLayout(self)
        let size = (SVGElement.number(ChartLayout.width), SVGElement.number(layout.height))
        let axes = axes
        let background = SVGElement(
            "rect",
            [
                "class": "background", "x": "0.5", "y": "0.5", "width": "\(ChartLayout.width - 1)",
                "height": "\(layout.height - 1)", "rx": "8",
            ])
        let grids = panels.indices.flatMap { grid(of: $0, axes[$0], layout) }
        let bars = groups.indices.flatMap { drawn(groups[$0], at: layout.groups[$0], axes, layout) }
        let drawing = SVGElement(
            "svg",
            [
                "xmlns": "http://www.w3.org/2000/svg", "width": size.0, "height": size.1,
                "viewBox": "0 0 \(size.0) \(size.1)", "role": "img", "aria-labelledby": "title description",
            ],
            [
                SVGElement("title", ["id": "title"], text: title),
                SVGElement("desc", ["id": "description"], text: summary),
                SVGElement("style", raw: ChartStyle.css), background,
            ] + heading + legend + grids + bars + [footer(layout)])
        return drawing.rendered() + "\n"
    }

    /// The figures as text, for screen readers.
    private var summary: String {
        panels.indices.map { panel in
            let rows = groups.flatMap { group in
                group.rows.compactMap { row in
                    row.bars[panel].map { "\((group.title + [row.client]).joined(separator: " ")) \($0.label)" }
                }
            }
            return "\(panels[panel].title), \(panels[panel].hint): \(rows.joined(separator: "; "))."
        }.joined(separator: " ")
    }

    private var heading: [SVGElement] {
        let x = SVGElement.number(ChartLayout.margin)
        return [
            SVGElement("text", ["class": "title", "x": x, "y": "38"], text: title),
            SVGElement("text", ["class": "subtitle", "x": x, "y": "59"], text: subtitle),
        ]
    }

    /// The legend of the kinds of bars that occur.
    private var legend: [SVGElement] {
        let clients = Set(groups.flatMap(\.rows).map(\.client))
        let kinds: [(client: String, text: String)] = [
            (ClientName.sockeye, "Sockeye"),
            (ClientName.loop, "Sockeye on its own executor"),
            (ClientName.asyncHTTPClient, "other libraries"),
            (ClientName.wrk, "wrk (not a library): the practical limit"),
        ].filter { kind in clients.contains { ChartStyle.bar(of: $0) == ChartStyle.bar(of: kind.client) } }
        var (elements, x) = ([SVGElement](), ChartLayout.margin)
        for kind in kinds {
            elements += [
                SVGElement(
                    "rect",
                    [
                        "class": ChartStyle.bar(of: kind.client), "x": SVGElement.number(x), "y": "77.5", "width": "18",
                        "height": "11", "rx": "2",
                    ]),
                SVGElement("text", ["class": "name", "x": SVGElement.number(x + 24), "y": "87"], text: kind.text),
            ]
            x += 24 + ChartLayout.width(of: kind.text, size: 12) + 20
        }
        elements += whisker(from: x, to: x + 18, at: 83)
        let text = SVGElement("text", ["class": "name", "x": SVGElement.number(x + 24), "y": "87"], text: "min–max")
        return elements + [text]
    }

    /// True if a bar is longer than its scale.
    private var isBroken: Bool {
        let axes = axes
        return groups.flatMap(\.rows).contains { row in
            zip(row.bars, axes).contains { bar, axis in (bar?.spread.median ?? 0) > axis.limit }
        }
    }

    private func footer(_ layout: ChartLayout) -> SVGElement {
        SVGElement(
            "text",
            [
                "class": "footnote", "x": SVGElement.number(ChartLayout.margin),
                "y": SVGElement.number(layout.height - 16),
            ],
            text: footnote + (isBroken ? " · a broken bar exceeds the scale" : ""))
    }
}
