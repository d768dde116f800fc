/// The names of the figures that more than one part of a report uses.
package enum FigureName {
    package static let requestRate = "requests-per-second"
    package static let byteRate = "gigabytes-per-second"
    package static let cpu = "cpu"
    package static let userCPU = "cpu-user"
    package static let systemCPU = "cpu-system"
    package static let systemCalls = "system-calls"
    package static let switches = "context-switches"
    package static let instructions = "instructions"
    package static let p50 = "p50"
    package static let p99 = "p99"
    package static let p999 = "p99.9"
    package static let allocations = "allocations"
    package static let peakMemory = "rss-peak"
    package static let grownMemory = "rss-grown"
    /// KiB of heap for each idle connection.
    package static let heapPerConnection = "heap-per-connection"
}
