/// The best readings of a machine in a run, which correspond to the machine without other load.
package struct Yardstick: Sendable {
    /// The ratio to the best time above which a machine counts as disturbed. Without other load, 40 readings were at
    /// most 9 % above the best of them.
    package static let limit = 1.2
    /// The ratio to the shortest distance of the cores above which a machine counts as disturbed. Of 2,500 readings in
    /// twenty minutes, with and without other load, 250 were between 55 and 112 ns and the others between 265 and 560
    /// ns. Each group is within a factor of 2.1, and the gap between them is a factor of 2.4.
    package static let distanceLimit = 2.2

    private var best: MachineReading?

    package init() {}

    /// Takes a reading into account; each of its parts may become the best one independently.
    package mutating func learn(_ reading: MachineReading) {
        let known = best ?? reading
        best = MachineReading(
            cpu: min(known.cpu, reading.cpu), wall: min(known.wall, reading.wall),
            coreDistance: [known.coreDistance, reading.coreDistance].compactMap(\.self).min())
    }

    /// Returns the larger of the ratios of CPU time and wall-clock time to their best values; 1 if there is no best
    /// yet.
    package func slowdown(of reading: MachineReading) -> Double {
        guard let best, best.cpu > 0, best.wall > 0 else { return 1 }
        return max(reading.cpu / best.cpu, reading.wall / best.wall)
    }

    /// Returns true if other load slows the machine down.
    package func isBusy(_ reading: MachineReading) -> Bool { slowdown(of: reading) > Self.limit }

    /// Returns true if the cores were farther apart than at their best; false if that is unknown.
    package func isFarApart(_ reading: MachineReading) -> Bool {
        !Self.isSameDistance(best?.coreDistance, reading.coreDistance)
    }

    /// Returns true if the machine was slow for either reason.
    package func isSlow(_ reading: MachineReading) -> Bool { isBusy(reading) || isFarApart(reading) }

    /// Returns true if two distances belong to the same group, near or far; true also if one is unknown.
    package static func isSameDistance(_ one: Double?, _ other: Double?) -> Bool {
        guard let one, let other else { return true }
        return max(one, other) <= min(one, other) * distanceLimit
    }
}
