/// Rows under headings: aligned for a terminal, or as Markdown.
struct TextTable {
    let headings: [String]
    let rows: [[String]]

    /// The first column to the left, figures to the right.
    var terminal: String {
        let widths = headings.indices.map { column in
            ([headings] + rows).map { $0[column].count }.max() ?? 0
        }
        return ([headings] + rows).map { row in
            zip(row, widths).enumerated().map { column, cell in
                let padding = String(repeating: " ", count: cell.1 - cell.0.count)
                return column == 0 ? cell.0 + padding : padding + cell.0
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    var markdown: String {
        let rule = headings.indices.map { $0 == 0 ? "---" : "---:" }
        return ([headings, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }
}
