internal import Foundation

/// A scale from zero to a round number.
package struct Axis: Sendable, Equatable {
    /// The end of the scale.
    package let limit: Double
    /// The marks of the scale, zero included.
    package let ticks: [Double]

    /// Makes a scale for the largest value of each client.
    ///
    /// If one client far exceeds all others, their bars would be too short to read. The scale then ends before that
    /// client's value, and the chart draws its bar as broken.
    package init(largest: [Double]) {
        let sorted = largest.filter { $0.isFinite && $0 > 0 }.sorted(by: >)
        let first = sorted.first ?? 1
        let second = sorted.count > 1 ? sorted[1] : first
        let top = first > 2.2 * second ? second * 1.15 : first
        let step = Self.step(for: top)
        let count = max(1, (top / step).rounded(.up))
        limit = step * count
        ticks = (0...Int(count)).map { Double($0) * step }
    }

    /// Returns a round distance that divides the scale into three to five parts.
    private static func step(for top: Double) -> Double {
        let power = pow(10, (log10(top / 5)).rounded(.down))
        return [1, 2, 2.5, 5, 10].map { $0 * power }.first { top / $0 <= 5 } ?? 10 * power
    }
}
