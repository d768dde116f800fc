internal import BenchmarkKit

/// The figures of one client in one scenario, turn by turn.
package struct ClientFigures: Codable, Sendable, Equatable {
    package let client: String
    package let errors: Int
    /// The values of each figure by its name, turn by turn; nil for a turn that failed, or in which the client had no
    /// part.
    package let values: [String: [Double?]]
    /// The values of figures that each process reports once, process by process.
    package let wholes: [String: [Double?]]
    /// For each turn, true if the machine was disturbed, and the number of repetitions because of that. Empty in older
    /// results, which do not have them.
    package let disturbed: [Bool]
    package let repeats: [Int]
    /// The distance of the cores in each turn, in nanoseconds; nil if it is unknown. Empty in older results, which do
    /// not have it.
    package let coreDistances: [Double?]

    package init(
        client: String, errors: Int = 0, values: [String: [Double?]], wholes: [String: [Double?]] = [:],
        disturbed: [Bool] = [], repeats: [Int] = [], coreDistances: [Double?] = []
    ) {
        self.client = client
        self.errors = errors
        self.values = values
        self.wholes = wholes
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
            wholes: try container.decodeIfPresent([String: [Double?]].self, forKey: .wholes) ?? [:],
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
        var (values, wholes): ([String: [Double?]], [String: [Double?]]) = ([:], [:])
        for column in columns {
            let figures = samples.samples(column.pass).map { Self.figure(column, of: $0) }
            guard figures.contains(where: { $0 != nil }) else { continue }
            if column.pass == .turn {
                values[column.heading.figure] = figures
            } else {
                wholes[column.heading.figure] = figures
            }
        }
        (self.values, self.wholes) = (values, wholes)
    }

    /// Returns the figure of a sample, rounded to five digits, which are enough for any figure and keep the file small.
    private static func figure(_ column: Column, of sample: Sample?) -> Double? {
        guard let sample, sample.requests > 0, let value = column.value(sample), value.isFinite else { return nil }
        return NumberStyle.rounded(value, digits: 5)
    }

    /// Returns all values of a figure, one for each turn or for each process.
    package func all(_ figure: String) -> [Double?] { values[figure] ?? wholes[figure] ?? [] }

    /// Returns true if the machine was disturbed in a turn; false if that is unknown.
    func isDisturbed(turn: Int) -> Bool { disturbed.indices.contains(turn) && disturbed[turn] }

    /// Returns the distance of the cores in a turn; nil if it is unknown.
    func coreDistance(turn: Int) -> Double? { coreDistances.indices.contains(turn) ? coreDistances[turn] : nil }

    /// Returns the range of a figure over all turns, and its median over the turns that count (``CountedTurns``). For a
    /// figure of processes, both are over all processes.
    package func spread(_ figure: String) -> Spread? {
        guard let all = values[figure] else { return Spread(self.all(figure).compactMap(\.self)) }
        let turns = CountedTurns.chosen(of: all.indices.filter { all[$0] != nil }) { !isDisturbed(turn: $0) }
        return Spread(all.compactMap(\.self), counting: turns.compactMap { all[$0] })
    }

    package func median(_ figure: String) -> Double? { spread(figure)?.median }
}
