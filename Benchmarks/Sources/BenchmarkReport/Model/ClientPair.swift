/// A figure of two clients, round by round: those that ran in the same round met the same machine, so that quotients
/// differ less from round to round than the figures do.
struct ClientPair {
    private let one: ClientFigures
    private let other: ClientFigures
    /// What the one's figure is, divided by the other's, for each round that has both.
    private let quotients: [Int: Double]

    init(_ figure: String, of one: ClientFigures, by other: ClientFigures) {
        (self.one, self.other) = (one, other)
        let both = zip(one.values[figure] ?? [], other.values[figure] ?? []).enumerated()
        quotients = Dictionary(
            uniqueKeysWithValues: both.compactMap { round, values in
                guard let value = values.0, let divisor = values.1, divisor > 0 else { return nil }
                return (round, value / divisor)
            })
    }

    /// The rounds that count (``CountedRounds``).
    private var rounds: [Int] {
        CountedRounds.chosen(
            of: quotients.keys.sorted(),
            isUndisturbed: { !one.isDisturbed(round: $0) && !other.isDisturbed(round: $0) },
            isAlike: {
                one.isDisturbed(round: $0) == other.isDisturbed(round: $0)
                    && Yardstick.isSameDistance(one.coreDistance(round: $0), other.coreDistance(round: $0))
            })
    }

    /// The median of the quotients.
    var quotient: Double? { Spread(rounds.compactMap { quotients[$0] })?.median }

    /// How far apart the cores were in the rounds that count, in nanoseconds; nil where that is not known.
    var coreDistance: Double? {
        Spread(rounds.flatMap { [one.coreDistance(round: $0), other.coreDistance(round: $0)] }.compactMap(\.self))?
            .median
    }
}
