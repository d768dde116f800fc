/// Percentiles of request latencies, in microseconds.
struct LatencyPercentiles: Codable, Equatable {
    var p50: Double
    var p90: Double
    var p99: Double
    var p999: Double
    var max: Double

    private enum CodingKeys: String, CodingKey {
        case p50, p90, p99, max
        case p999 = "p99.9"
    }

    /// - Parameter latencies: The latencies in any order. If there are no latencies, all figures are zero.
    init(nanoseconds latencies: [Int64]) {
        let sorted = latencies.sorted()
        func microseconds(permille: Int) -> Double {
            guard !sorted.isEmpty else { return 0 }
            // The nearest-rank method, which rounds the rank up. Calculated with integers, because the inexact Double
            // of 0.999 could lead to the wrong rank.
            let rank = (permille * sorted.count + 999) / 1000
            return Double(sorted[rank - 1]) / 1000
        }
        p50 = microseconds(permille: 500)
        p90 = microseconds(permille: 900)
        p99 = microseconds(permille: 990)
        p999 = microseconds(permille: 999)
        max = microseconds(permille: 1000)
    }
}
