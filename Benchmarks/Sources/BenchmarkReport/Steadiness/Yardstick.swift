/// The best that a machine has done in a run, which is what it does when it is left alone.
package struct Yardstick: Sendable {
    /// How many times slower than its best a machine is disturbed. While nothing else runs, 40 readings were at most 9 %
    /// above the best of them.
    package static let limit = 1.2

    private var best: MachineReading?

    package init() {}

    /// Takes a reading into account; each of its two times may become the best on its own.
    package mutating func learn(_ reading: MachineReading) {
        let known = best ?? reading
        best = MachineReading(cpu: min(known.cpu, reading.cpu), wall: min(known.wall, reading.wall))
    }

    /// How many times slower than its best the machine was, by the time that shows it more; 1 as long as nothing is known.
    package func slowdown(of reading: MachineReading) -> Double {
        guard let best, best.cpu > 0, best.wall > 0 else { return 1 }
        return max(reading.cpu / best.cpu, reading.wall / best.wall)
    }

    package func isSlow(_ reading: MachineReading) -> Bool { slowdown(of: reading) > Self.limit }
}
