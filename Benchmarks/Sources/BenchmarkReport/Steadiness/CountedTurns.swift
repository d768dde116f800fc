/// Which turns of a figure its median is made of.
package enum CountedTurns {
    /// How many of some turns tell as much as all of them: of few half, of some five, of many a third. Five that met the
    /// same machine lie closer together than twelve that did not.
    package static func enough(of all: Int) -> Int { max(min(5, (all + 1) / 2), all / 3) }

    /// How many undisturbed turns are better than more of which some are disturbed. In seven pairs of runs, of 62 to 268
    /// ratios each, half of the ratios lay closer together and up to 16 fewer were over 15 % apart than where fewer than
    /// enough undisturbed turns were given up for a mixture.
    package static let fewest = 2

    /// Those in which nothing was disturbed, if there are a few (of two turns one); otherwise those in which all that is
    /// compared met the same troubles, if there are enough; otherwise all.
    static func chosen(
        of turns: [Int], isUndisturbed: (Int) -> Bool, isAlike: (Int) -> Bool = { _ in true }
    ) -> [Int] {
        let enough = enough(of: turns.count)
        let (undisturbed, alike) = (turns.filter(isUndisturbed), turns.filter(isAlike))
        if undisturbed.count >= min(fewest, enough) { return undisturbed }
        return alike.count >= enough ? alike : turns
    }

    /// The turns so far in which no client was disturbed.
    package static func undisturbed(in clients: [ClientSamples], by yardstick: Yardstick) -> Int {
        let turns = clients.map(\.conditions.count).min() ?? 0
        return (0..<turns).count { turn in
            clients.allSatisfy { !$0.conditions[turn].isDisturbed(by: yardstick) }
        }
    }
}
