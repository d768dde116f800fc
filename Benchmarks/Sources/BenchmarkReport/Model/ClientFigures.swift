internal import BenchmarkKit

/// The figures of one client in one scenario, round by round.
package struct ClientFigures: Codable, Sendable, Equatable {
    package let client: String
    package let errors: Int
    /// The values of each figure by its name; those of a round that failed are nil.
    package let values: [String: [Double?]]

    package init(client: String, errors: Int = 0, values: [String: [Double?]]) {
        self.client = client
        self.errors = errors
        self.values = values
    }

    package init(_ samples: ClientSamples, columns: [Column]) {
        client = samples.client
        errors = samples.errors
        var values: [String: [Double?]] = [:]
        for column in columns {
            let source = column.pass == .timing ? samples.rounds : [samples.counting]
            let figures = source.map { Self.figure(column, of: $0) }
            if figures.contains(where: { $0 != nil }) { values[column.heading.figure] = figures }
        }
        self.values = values
    }

    /// Five digits are more than any figure deserves, and keep the file small.
    private static func figure(_ column: Column, of sample: Sample?) -> Double? {
        guard let sample, sample.requests > 0, let value = column.value(sample), value.isFinite else { return nil }
        return NumberStyle.rounded(value, digits: 5)
    }

    /// The median and the range of a figure over all rounds.
    package func spread(_ figure: String) -> Spread? {
        Spread((values[figure] ?? []).compactMap(\.self))
    }

    package func median(_ figure: String) -> Double? { spread(figure)?.median }
}
