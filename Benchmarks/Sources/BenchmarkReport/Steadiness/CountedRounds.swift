/// Which rounds of a figure its median is made of.
package enum CountedRounds {
    /// How many of some rounds tell as much as all of them: half, and of many rounds three. Three that met the same
    /// machine lie closer together than seven that did not.
    package static func enough(of all: Int) -> Int { min(3, (all + 1) / 2) }

    /// Those in which nothing was disturbed, if there are enough; otherwise those in which all that is compared met the
    /// same troubles, if there are enough; otherwise all.
    static func chosen(
        of rounds: [Int], isUndisturbed: (Int) -> Bool, isAlike: (Int) -> Bool = { _ in true }
    ) -> [Int] {
        let preferred = [rounds.filter(isUndisturbed), rounds.filter(isAlike)]
        return preferred.first { $0.count >= enough(of: rounds.count) } ?? rounds
    }

    /// The rounds so far in which no client was disturbed.
    package static func undisturbed(in clients: [ClientSamples], by yardstick: Yardstick) -> Int {
        let rounds = clients.map(\.conditions.count).min() ?? 0
        return (0..<rounds).count { round in
            clients.allSatisfy { !$0.conditions[round].isDisturbed(by: yardstick) }
        }
    }
}
