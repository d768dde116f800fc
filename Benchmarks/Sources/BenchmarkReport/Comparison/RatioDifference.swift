/// How far a ratio between two clients is not the same in two runs.
package struct RatioDifference: Sendable, Equatable {
    package let scenario: String
    package let peer: String
    /// The figure in words.
    package let figure: String
    /// How many times better the first client is than the peer, in each run.
    package let first: Double
    package let second: Double
    /// How far apart the cores were in the turns of each run that this is made of, in nanoseconds; nil where that is not
    /// known.
    package let firstDistance: Double?
    package let secondDistance: Double?

    /// What the larger ratio is more than the smaller one, as a fraction of it: the same in both directions.
    package var fraction: Double { max(first, second) / min(first, second) - 1 }

    /// Whether the turns met cores in the same kind of place in both runs; so they did where that is not known.
    package var isSameDistance: Bool { Yardstick.isSameDistance(firstDistance, secondDistance) }
}
