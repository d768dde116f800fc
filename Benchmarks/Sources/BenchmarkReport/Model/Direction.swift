/// The direction in which a figure is better.
package enum Direction: String, Codable, Sendable {
    case higher
    case lower

    /// Returns the factor by which one value is better than another; nil if the divisor is not positive.
    package func advantage(of value: Double, over other: Double) -> Double? {
        let (dividend, divisor) = self == .higher ? (value, other) : (other, value)
        return divisor > 0 ? dividend / divisor : nil
    }
}
