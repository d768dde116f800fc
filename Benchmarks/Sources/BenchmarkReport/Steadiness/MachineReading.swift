/// How fast a fixed piece of kernel work went at one moment: a neighbour on the same host makes its CPU time longer, and
/// another process on the same machine its wall-clock time.
package struct MachineReading: Codable, Sendable, Equatable {
    /// Nanoseconds of CPU time of a step.
    package let cpu: Double
    /// Nanoseconds from its beginning to its end.
    package let wall: Double

    package init(cpu: Double, wall: Double) {
        self.cpu = cpu
        self.wall = wall
    }
}
