/// The waiting times before requests are cancelled: evenly distributed up to 2 ms, and the same in each run.
package struct Patience {
    /// Advances by multiples of the golden ratio, and of √2 from task to task, which are evenly distributed.
    private var position: UInt32

    package init(task: Int) {
        position = UInt32(truncatingIfNeeded: task) &* 0x6A09_E667
    }

    /// The upper bound of a wait, in nanoseconds, as all times here.
    package static let longest: UInt64 = 2_000_000

    /// Returns the next wait, which is shorter than ``longest``.
    package mutating func next() -> UInt64 {
        position &+= 0x9E37_79B9
        return (UInt64(position) * Self.longest) >> 32
    }

    /// The interval between two searches for requests that are due.
    package static let tick: UInt64 = 250_000
}
