package import SockeyeCore

/// An estimate of bytes a second from readings of a counter. No I/O.
///
/// An exponential average, so that a stall shows within seconds and a hiccup does not: each reading counts by how much
/// time it covers, with a time constant of two seconds.
package struct ThroughputMeter: Sendable {
    private var last: (bytes: Int, time: MonotonicTime)?
    private var average: Double?

    private static let timeConstant = 2.0
    /// Readings closer together than this say more about the scheduler than about the network.
    private static let shortest = Duration.milliseconds(20)

    package init() {}

    /// Bytes a second; nil before two readings.
    package var throughput: Double? { average }

    /// The counter moves by so much without a transfer.
    package mutating func skip(_ count: Int) {
        if let last { self.last = (last.bytes + count, last.time) }
    }

    /// Notes where the counter stands. One that runs backwards, as when a download starts over, starts over, too.
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
