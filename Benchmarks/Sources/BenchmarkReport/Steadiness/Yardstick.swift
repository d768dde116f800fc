/// The best that a machine has done in a run, which is what it does when it is left alone.
package struct Yardstick: Sendable {
    /// How many times slower than its best a machine is disturbed. While nothing else runs, 40 readings were at most 9 %
    /// above the best of them.
    package static let limit = 1.2
    /// How many times further apart than at their closest cores are disturbed. Of 2,500 readings in twenty minutes, with
    /// and without other work beside them, 250 were between 55 and 112 ns and the others between 265 and 560, with nothing
    /// in between: both kinds lie within a factor of 2.1, and there are 2.4 from one to the other.
    package static let distanceLimit = 2.2

    private var best: MachineReading?

    package init() {}

    /// Takes a reading into account; each part of it may become the best on its own.
    package mutating func learn(_ reading: MachineReading) {
        let known = best ?? reading
        best = MachineReading(
            cpu: min(known.cpu, reading.cpu), wall: min(known.wall, reading.wall),
            coreDistance: [known.coreDistance, reading.coreDistance].compactMap(\.self).min())
    }

    /// How many times slower than its best the machine was, by the time that shows it more; 1 as long as nothing is known.
    package func slowdown(of reading: MachineReading) -> Double {
        guard let best, best.cpu > 0, best.wall > 0 else { return 1 }
        return max(reading.cpu / best.cpu, reading.wall / best.wall)
    }

    /// Whether something else has the machine's time.
    package func isBusy(_ reading: MachineReading) -> Bool { slowdown(of: reading) > Self.limit }

    /// Whether the cores were further apart than they can be; not so far as is known.
    package func isFarApart(_ reading: MachineReading) -> Bool {
        !Self.isSameDistance(best?.coreDistance, reading.coreDistance)
    }

    /// Whether the machine was slow for one reason or another.
    package func isSlow(_ reading: MachineReading) -> Bool { isBusy(reading) || isFarApart(reading) }

    /// Whether cores that were so far apart were in the same kind of place; so they are where that is not known.
    package static func isSameDistance(_ one: Double?, _ other: Double?) -> Bool {
        guard let one, let other else { return true }
        return max(one, other) <= min(one, other) * distanceLimit
    }
}
