/// What a figure is called and how it reads wherever it is shown.
package struct Heading: Codable, Sendable, Equatable {
    /// Its name in `results.json`, targets and charts.
    package let figure: String
    /// What stands above its column, before the unit; may be empty.
    package let title: String
    package let unit: String
    /// Nil for a figure that is neither good nor bad.
    package let better: Direction?
    package let style: NumberStyle
    /// Whether tables show the range beside the median; `results.json` always has all turns.
    package let showsRange: Bool
    /// The title of a column with the ratio to the first client; nil for none.
    package let ratioTitle: String?

    package var text: String {
        [title, unit].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
