/// The difference of a ratio between two clients in two runs.
package struct RatioDifference: Sendable, Equatable {
    package let scenario: String
    package let peer: String
    /// The figure in words.
    package let figure: String
    /// The factor by which the first client is better than the other client, in each run.
    package let first: Double
    package let second: Double
    /// The distance of the cores in the turns of each run that the ratio is computed from, in nanoseconds; nil if
    /// unknown.
    package let firstDistance: Double?
    package let secondDistance: Double?

    /// The amount by which the larger ratio exceeds the smaller one, as a fraction of the smaller one.
    package var fraction: Double { max(first, second) / min(first, second) - 1 }

    /// True if the distances of the cores were similar in both runs, or are unknown.
    package var isSameDistance: Bool { Yardstick.isSameDistance(firstDistance, secondDistance) }
}
