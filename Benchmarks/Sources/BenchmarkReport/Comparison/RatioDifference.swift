/// How far a ratio between two clients is not the same in two runs.
package struct RatioDifference: Sendable, Equatable {
    package let scenario: String
    package let peer: String
    /// The figure in words.
    package let figure: String
    /// How many times better the first client is than the peer, in each run.
    package let first: Double
    package let second: Double

    /// What the larger ratio is more than the smaller one, as a fraction of it: the same in both directions.
    package var fraction: Double { max(first, second) / min(first, second) - 1 }
}
