/// Which end of a figure one wants to be at.
package enum Direction: String, Codable, Sendable {
    case higher
    case lower

    /// How many times better one value is than another; nil where that cannot be said.
    package func advantage(of value: Double, over other: Double) -> Double? {
        let (dividend, divisor) = self == .higher ? (value, other) : (other, value)
        return divisor > 0 ? dividend / divisor : nil
    }
}
