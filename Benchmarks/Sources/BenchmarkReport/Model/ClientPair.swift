/// A figure of two clients, turn by turn: those that took turns with each other met the same machine, so that quotients
/// differ less from turn to turn than the figures do.
struct ClientPair {
    private let one: ClientFigures
    private let other: ClientFigures
    /// What the one's figure is, divided by the other's, for each turn of both.
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

    /// The median of the quotients of all turns that met cores as far apart as given; nil if they are too few to tell.
    func quotient(atDistance distance: Double) -> Double? {
        let there = quotients.keys.filter { turn in
            [one.coreDistance(turn: turn), other.coreDistance(turn: turn)].allSatisfy { seen in
                seen.map { Yardstick.isSameDistance($0, distance) } ?? false
            }
        }
        guard there.count >= CountedTurns.fewest else { return nil }
        return Spread(there.compactMap { quotients[$0] })?.median
    }

    /// How far apart the cores were in the turns that count, in nanoseconds; nil where that is not known.
    var coreDistance: Double? {
        Spread(turns.flatMap { [one.coreDistance(turn: $0), other.coreDistance(turn: $0)] }.compactMap(\.self))?
            .median
    }
}
