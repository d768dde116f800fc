/// Which turns of a figure its median is made of.
package enum CountedTurns {
    /// How many of some turns tell as much as all of them: of few half, of some five, of many a third. Five that met the
    /// same machine lie closer together than twelve that did not.
    package static func enough(of all: Int) -> Int { max(min(5, (all + 1) / 2), all / 3) }

    /// Those in which nothing was disturbed, if there are enough; otherwise those in which all that is compared met the
    /// same troubles, if there are enough; otherwise all.
    static func chosen(
        of turns: [Int], isUndisturbed: (Int) -> Bool, isAlike: (Int) -> Bool = { _ in true }
    ) -> [Int] {
        let preferred = [turns.filter(isUndisturbed), turns.filter(isAlike)]
        return preferred.first { $0.count >= enough(of: turns.count) } ?? turns
    }

    /// The turns so far in which no client was disturbed.
    package static func undisturbed(in clients: [ClientSamples], by yardstick: Yardstick) -> Int {
        let turns = clients.map(\.conditions.count).min() ?? 0
        return (0..<turns).count { turn in
            clients.allSatisfy { !$0.conditions[turn].isDisturbed(by: yardstick) }
        }
    }
}
