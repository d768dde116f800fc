/// How long one request after another is waited for: up to 2 ms, every length as often, the same in each run.
package struct Patience {
    /// Multiples of the golden ratio, and of √2 from task to task, are spread evenly.
    private var position: UInt32

    package init(task: Int) {
        position = UInt32(truncatingIfNeeded: task) &* 0x6A09_E667
    }

    /// In nanoseconds, as all times here.
    package static let longest: UInt64 = 2_000_000

    /// The next wait, shorter than the longest.
    package mutating func next() -> UInt64 {
        position &+= 0x9E37_79B9
        return (UInt64(position) * Self.longest) >> 32
    }

    /// How often those are looked for whose time has come.
    package static let tick: UInt64 = 250_000
}
