/// A figure of two clients, turn by turn. Clients that take turns meet the same state of the machine, so that quotients
/// differ less between turns than the figures do.
struct ClientPair {
    private let one: ClientFigures
    private let other: ClientFigures
    /// The figure of `one` divided by that of `other`, for each turn of both.
    private let quotients: [Int: Double]

    init(_ figure: String, of one: ClientFigures, by other: ClientFigures) {
        (self.one, self.other) = (one, other)
        let both = zip(one.all(figure), other.all(figure)).enumerated()
        quotients = Dictionary(
            uniqueKeysWithValues: both.compactMap { turn, values in
                guard let value = values.0, let divisor = values.1, divisor > 0 else { return nil }
                return (turn, value / divisor)
            })
    }

    /// The turns that count (``CountedTurns``).
    private var turns: [Int] {
        CountedTurns.chosen(
            of: quotients.keys.sorted(),
            isUndisturbed: { !one.isDisturbed(turn: $0) && !other.isDisturbed(turn: $0) },
            isAlike: {
                one.isDisturbed(turn: $0) == other.isDisturbed(turn: $0)
                    && Yardstick.isSameDistance(one.coreDistance(turn: $0), other.coreDistance(turn: $0))
            })
    }

    /// The median of the quotients.
    var quotient: Double? { Spread(turns.compactMap { quotients[$0] })?.median }

    /// Returns the median of the quotients of all turns with the given distance of the cores; nil if there are too few.
    func quotient(atDistance distance: Double) -> Double? {
        let there = quotients.keys.filter { turn in
            [one.coreDistance(turn: turn), other.coreDistance(turn: turn)].allSatisfy { seen in
                seen.map { Yardstick.isSameDistance($0, distance) } ?? false
            }
        }
        guard there.count >= CountedTurns.fewest else { return nil }
        return Spread(there.compactMap { quotients[$0] })?.median
    }

    /// The median distance of the cores in the turns that count, in nanoseconds; nil if it is unknown.
    var coreDistance: Double? {
        Spread(turns.flatMap { [one.coreDistance(turn: $0), other.coreDistance(turn: $0)] }.compactMap(\.self))?
            .median
    }
}
