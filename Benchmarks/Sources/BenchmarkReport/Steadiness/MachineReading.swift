/// How fast a fixed piece of kernel work went at one moment, and how far apart the cores were: a neighbour on the same
/// host makes its CPU time longer, another process on the same machine its wall-clock time, and a host that moves the
/// cores of a virtual machine to other places their distance.
package struct MachineReading: Codable, Sendable, Equatable {
    /// Nanoseconds of CPU time of a step.
    package let cpu: Double
    /// Nanoseconds from its beginning to its end.
    package let wall: Double
    /// Nanoseconds that a cache line takes from one core to another and back. Nil where there is only one core or
    /// somebody else had one all the time, and in readings from before this was looked at.
    package let coreDistance: Double?

    package init(cpu: Double, wall: Double, coreDistance: Double? = nil) {
        self.cpu = cpu
        self.wall = wall
        self.coreDistance = coreDistance
    }
}
