/// A table with headings, as aligned text for a terminal or as Markdown. The first column names the row, the others are
/// figures.
package struct TextTable: Sendable {
    package let headings: [String]
    package let rows: [[String]]
    /// The number of columns with text, which are left-aligned.
    private let textColumns: Int

    package init(headings: [String], rows: [[String]], textColumns: Int = 1) {
        self.headings = headings
        self.rows = rows
        self.textColumns = textColumns
    }

    /// Returns aligned columns. Columns that do not fit into the width follow in further blocks, which repeat the names
    /// of the rows.
    package func terminal(width: Int = .max) -> String {
        let widths = headings.indices.map { column in
            ([headings] + rows).map { $0[column].count }.max() ?? 0
        }
        return blocks(of: widths, within: width).map { columns in
            ([headings] + rows).map { row in
                let line = columns.map { padded(row[$0], to: widths[$0], left: $0 < textColumns) }
                return String(line.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
            }.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// Returns the columns of each block. All blocks have the first column and at least one more.
    private func blocks(of widths: [Int], within limit: Int) -> [[Int]] {
        var blocks: [[Int]] = []
        var (block, used) = ([0], widths.first ?? 0)
        for column in headings.indices.dropFirst() {
            if block.count > 1, used + 2 + widths[column] > limit {
                blocks.append(block)
                (block, used) = ([0], widths[0])
            }
            block.append(column)
            used += 2 + widths[column]
        }
        return blocks + [block]
    }

    private func padded(_ text: String, to width: Int, left: Bool) -> String {
        let padding = String(repeating: " ", count: width - text.count)
        return left ? text + padding : padding + text
    }

    package var markdown: String {
        let rule = headings.indices.map { $0 < textColumns ? "---" : "---:" }
        return ([headings, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
    }
}
