/// A histogram of durations in fixed memory, with buckets that are at most 1.6 % wide.
///
/// Recording takes a few instructions and allocates nothing, so it does not affect the measurement.
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

    /// Adds the counts of another histogram.
    package mutating func merge(_ other: LatencyHistogram) {
        for index in counts.indices { counts[index] &+= other.counts[index] }
        total &+= other.total
    }

    /// Returns the duration, in microseconds, that the given fraction of all durations does not exceed; 0 without
    /// durations.
    package func microseconds(atQuantile quantile: Double) -> Double {
        let rank = Int((quantile * Double(total)).rounded(.up))
        var seen = 0
        for (index, count) in counts.enumerated() {
            seen += Int(count)
            if seen >= rank, seen > 0 { return Double(Self.upperBound(of: index)) / 1000 }
        }
        return 0
    }

    /// Returns the bucket of a value. Each value below 64 has its own bucket; above, each power of two has 64 buckets.
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
