/// Counts durations in buckets whose width is at most 1.6 % of their value, in fixed memory.
///
/// Recording is a few instructions and allocates nothing, so it does not show in what is measured.
package struct LatencyHistogram: Sendable {
    private static let subBuckets = 64
    private static let subBucketBits = 6
    private var counts = [UInt32](repeating: 0, count: (64 - 5) * 64)
    package private(set) var total = 0

    package init() {}

    /// Adds one duration.
    package mutating func record(nanoseconds: UInt64) {
        counts[Self.index(of: nanoseconds)] &+= 1
        total &+= 1
    }

    /// Adds everything another histogram holds.
    package mutating func merge(_ other: LatencyHistogram) {
        for index in counts.indices { counts[index] &+= other.counts[index] }
        total &+= other.total
    }

    /// The duration, in microseconds, that the given fraction of all does not exceed; 0 if there are none.
    package func microseconds(atQuantile quantile: Double) -> Double {
        let rank = Int((quantile * Double(total)).rounded(.up))
        var seen = 0
        for (index, count) in counts.enumerated() {
            seen += Int(count)
            if seen >= rank, seen > 0 { return Double(Self.upperBound(of: index)) / 1000 }
        }
        return 0
    }

    /// Values below 64 have a bucket each; above, every power of two is cut into 64.
    private static func index(of value: UInt64) -> Int {
        guard value >= UInt64(subBuckets) else { return Int(value) }
        let exponent = 63 - value.leadingZeroBitCount - subBucketBits
        return (exponent + 1) * subBuckets + Int(value >> UInt64(exponent)) - subBuckets
    }

    private static func upperBound(of index: Int) -> UInt64 {
        guard index >= subBuckets else { return UInt64(index) }
        let exponent = index / subBuckets - 1
        let mantissa = UInt64(index % subBuckets + subBuckets)
        return (mantissa + 1) << UInt64(exponent) - 1
    }
}
