/// The additional seconds that a run may take because the machine is disturbed: a fraction of the planned time.
///
/// A part is available from the beginning. Every finished step adds to it, so that long disturbances at the start leave
/// some waiting time for the end.
package struct WaitingTime: Sendable {
    /// The seconds that are available from the beginning, about the usual length of a disturbance.
    package static let start = 30.0

    private let fraction: Double
    private var unearned: Double
    /// The seconds that may be spent now. Negative if the last wait was too long, so that such waits do not add up.
    package private(set) var left: Double

    package init(planned seconds: Double, fraction: Double) {
        let total = seconds * fraction
        self.fraction = fraction
        left = min(Self.start, total)
        unearned = total - left
    }

    /// Adds the share of a finished step for which a number of seconds was planned.
    package mutating func earn(planned seconds: Double) {
        let earned = min(unearned, seconds * fraction)
        unearned -= earned
        left += earned
    }

    /// Subtracts seconds that were spent with waiting, or with a sample that was not kept.
    package mutating func spend(_ seconds: Double) { left -= seconds }
}
