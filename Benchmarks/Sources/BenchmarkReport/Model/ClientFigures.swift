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
    /// For each round, how far apart the cores were, in nanoseconds; nil where that is not known. Empty as well in
    /// results from before this was looked at.
    package let coreDistances: [Double?]

    package init(
        client: String, errors: Int = 0, values: [String: [Double?]], disturbed: [Bool] = [], repeats: [Int] = [],
        coreDistances: [Double?] = []
    ) {
        self.client = client
        self.errors = errors
        self.values = values
        self.disturbed = disturbed
        self.repeats = repeats
        self.coreDistances = coreDistances
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            client: try container.decode(String.self, forKey: .client),
            errors: try container.decode(Int.self, forKey: .errors),
            values: try container.decode([String: [Double?]].self, forKey: .values),
            disturbed: try container.decodeIfPresent([Bool].self, forKey: .disturbed) ?? [],
            repeats: try container.decodeIfPresent([Int].self, forKey: .repeats) ?? [],
            coreDistances: try container.decodeIfPresent([Double?].self, forKey: .coreDistances) ?? [])
    }

    package init(_ samples: ClientSamples, columns: [Column], yardstick: Yardstick = Yardstick()) {
        client = samples.client
        errors = samples.errors
        disturbed = samples.conditions.map { $0.isDisturbed(by: yardstick) }
        repeats = samples.conditions.map(\.repeats)
        coreDistances = samples.conditions.map { $0.coreDistance.map { NumberStyle.rounded($0, digits: 3) } }
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

    /// How far apart the cores were in a round, as far as that is known.
    func coreDistance(round: Int) -> Double? { coreDistances.indices.contains(round) ? coreDistances[round] : nil }

    /// The range of a figure over all rounds, and its median over those that count (``CountedRounds``).
    package func spread(_ figure: String) -> Spread? {
        let all = values[figure] ?? []
        let rounds = CountedRounds.chosen(of: all.indices.filter { all[$0] != nil }) { !isDisturbed(round: $0) }
        return Spread(all.compactMap(\.self), counting: rounds.compactMap { all[$0] })
    }

    package func median(_ figure: String) -> Double? { spread(figure)?.median }
}
