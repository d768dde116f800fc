package import SockeyeCore

/// Estimates the throughput in bytes per second from readings of a counter.
///
/// An exponential moving average with a time constant of two seconds, in which each reading is weighted by the time
/// that it covers. A stall lowers the estimate within seconds; a short interruption hardly changes it.
package struct ThroughputMeter: Sendable {
    private var last: (bytes: Int, time: MonotonicTime)?
    private var average: Double?

    private static let timeConstant = 2.0
    /// The minimum time between two readings. Closer readings are ignored, because they say more about the scheduler
    /// than about the network.
    private static let shortest = Duration.milliseconds(20)

    package init() {}

    /// The estimate in bytes per second. Nil until there are two readings at least 20 ms apart.
    package var throughput: Double? { average }

    /// Excludes `count` bytes that the caller adds to its counter without transferring them.
    package mutating func skip(_ count: Int) {
        if let last { self.last = (last.bytes + count, last.time) }
    }

    /// Records a reading of the counter. If the counter runs backwards, as when a download starts over, the estimate
    /// starts over.
    package mutating func read(_ bytes: Int, at time: MonotonicTime) {
        guard let last, bytes >= last.bytes else {
            last = (bytes, time)
            average = nil
            return
        }
        let elapsed = time.since(last.time)
        guard elapsed >= Self.shortest else { return }
        let seconds = Double(elapsed.clampedNanoseconds) / 1e9
        let rate = Double(bytes - last.bytes) / seconds
        let weight = seconds / (seconds + Self.timeConstant)
        average = average.map { $0 + (rate - $0) * weight } ?? rate
        self.last = (bytes, time)
    }
}
