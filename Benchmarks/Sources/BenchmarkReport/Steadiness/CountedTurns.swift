/// Selects the turns of a figure that its median is computed from.
package enum CountedTurns {
    /// Returns the number of turns that are as informative as all of them: half of a few, five of some, a third of
    /// many. The values of five turns with the same conditions are closer to each other than those of twelve with
    /// different ones.
    package static func enough(of all: Int) -> Int { max(min(5, (all + 1) / 2), all / 3) }

    /// The number of undisturbed turns that is better than more turns, some of them disturbed. In seven pairs of runs,
    /// of 62 to 268 ratios each, this rule was compared with one that requires enough undisturbed turns. Half of the
    /// ratios were closer to each other with it, and up to 16 fewer differed by over 15 %.
    package static let fewest = 2

    /// Returns the undisturbed turns, if there are ``fewest`` (one of two turns); otherwise the turns in which all
    /// compared clients met the same conditions, if there are enough; otherwise all turns.
    static func chosen(
        of turns: [Int], isUndisturbed: (Int) -> Bool, isAlike: (Int) -> Bool = { _ in true }
    ) -> [Int] {
        let enough = enough(of: turns.count)
        let (undisturbed, alike) = (turns.filter(isUndisturbed), turns.filter(isAlike))
        if undisturbed.count >= min(fewest, enough) { return undisturbed }
        return alike.count >= enough ? alike : turns
    }

    /// Returns the number of turns so far in which no client was disturbed.
    package static func undisturbed(in clients: [ClientSamples], by yardstick: Yardstick) -> Int {
        let turns = clients.map(\.conditions.count).min() ?? 0
        return (0..<turns).count { turn in
            clients.allSatisfy { !$0.conditions[turn].isDisturbed(by: yardstick) }
        }
    }
}
