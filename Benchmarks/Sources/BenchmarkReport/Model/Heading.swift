/// The name, title, unit and format of a figure.
package struct Heading: Codable, Sendable, Equatable {
    /// The name of the figure in `results.json`, targets and charts.
    package let figure: String
    /// The text above its column, before the unit; may be empty.
    package let title: String
    package let unit: String
    /// The better direction; nil for a figure that is neither good nor bad.
    package let better: Direction?
    package let style: NumberStyle
    /// True if tables show the range beside the median; `results.json` always has all turns.
    package let showsRange: Bool
    /// The title of a column with the ratio to the first client; nil for none.
    package let ratioTitle: String?

    package var text: String {
        [title, unit].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
