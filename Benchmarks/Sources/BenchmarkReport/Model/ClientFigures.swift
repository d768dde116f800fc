internal import BenchmarkKit

/// The figures of one client in one scenario, round by round.
package struct ClientFigures: Codable, Sendable, Equatable {
    package let client: String
    package let errors: Int
    /// The values of each figure by its name; those of a round that failed are nil.
    package let values: [String: [Double?]]
    /// For each round, whether the machine was disturbed, and how often it was taken again because of that. Empty in
    /// results from before this was looked at.
    package let disturbed: [Bool]
    package let repeats: [Int]

    package init(
        client: String, errors: Int = 0, values: [String: [Double?]], disturbed: [Bool] = [], repeats: [Int] = []
    ) {
        self.client = client
        self.errors = errors
        self.values = values
        self.disturbed = disturbed
        self.repeats = repeats
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            client: try container.decode(String.self, forKey: .client),
            errors: try container.decode(Int.self, forKey: .errors),
            values: try container.decode([String: [Double?]].self, forKey: .values),
            disturbed: try container.decodeIfPresent([Bool].self, forKey: .disturbed) ?? [],
            repeats: try container.decodeIfPresent([Int].self, forKey: .repeats) ?? [])
    }

    package init(_ samples: ClientSamples, columns: [Column], yardstick: Yardstick = Yardstick()) {
        client = samples.client
        errors = samples.errors
        disturbed = samples.conditions.map { $0.isDisturbed(by: yardstick) }
        repeats = samples.conditions.map(\.repeats)
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

    /// Whether the machine was disturbed in a round; not so far as is known.
    func isDisturbed(round: Int) -> Bool { disturbed.indices.contains(round) && disturbed[round] }

    /// The range of a figure over all rounds, and its median over those that count (``CountedRounds``).
    package func spread(_ figure: String) -> Spread? {
        let all = values[figure] ?? []
        return Spread(all.compactMap(\.self), counting: CountedRounds.values(all, isDisturbed: isDisturbed))
    }

    package func median(_ figure: String) -> Double? { spread(figure)?.median }
}
