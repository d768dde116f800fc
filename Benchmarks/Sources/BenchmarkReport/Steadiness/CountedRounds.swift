/// Which rounds of a figure its median is made of.
enum CountedRounds {
    /// The values of the rounds in which nothing was disturbed, if that is at least half of those that have a value; all
    /// of these otherwise, because few rounds say less than many that had the same troubles.
    ///
    /// - Parameter isDisturbed: by the number of the round.
    static func values(_ values: [Double?], isDisturbed: (Int) -> Bool) -> [Double] {
        let all = values.compactMap(\.self)
        let undisturbed = values.enumerated().compactMap { isDisturbed($0.offset) ? nil : $0.element }
        return undisturbed.count * 2 >= all.count ? undisturbed : all
    }
}
