/// The speed of a fixed piece of kernel work at a moment, and the distance of the cores. Another guest of the host
/// increases the CPU time, another process on the machine the wall-clock time, and a host that moves the cores of a
/// virtual machine their distance.
package struct MachineReading: Codable, Sendable, Equatable {
    /// The nanoseconds of CPU time of a step.
    package let cpu: Double
    /// The nanoseconds of wall-clock time of a step.
    package let wall: Double
    /// The nanoseconds that a cache line takes from one core to another and back. Nil if there is only one core, if
    /// other load occupied a core all the time, and in older readings.
    package let coreDistance: Double?

    package init(cpu: Double, wall: Double, coreDistance: Double? = nil) {
        self.cpu = cpu
        self.wall = wall
        self.coreDistance = coreDistance
    }
}
