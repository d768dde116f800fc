/// How many seconds more a run may take because the machine is disturbed: a fraction of what was planned.
///
/// Some of it is there from the beginning, the rest comes with every step that is done, so that one bad hour at the
/// start leaves something for the end.
package struct WaitingTime: Sendable {
    /// What is there from the beginning: as long as the machine is usually disturbed for.
    package static let start = 30.0

    private let fraction: Double
    private var unearned: Double
    /// Seconds that may be spent now; less than 0 where the last wait was longer than it could be, so that such waits do
    /// not add up.
    package private(set) var left: Double

    package init(planned seconds: Double, fraction: Double) {
        let total = seconds * fraction
        self.fraction = fraction
        left = min(Self.start, total)
        unearned = total - left
    }

    /// A step for which so many seconds were planned is done.
    package mutating func earn(planned seconds: Double) {
        let earned = min(unearned, seconds * fraction)
        unearned -= earned
        left += earned
    }

    /// So many seconds passed in waiting, or in taking a sample that was not kept.
    package mutating func spend(_ seconds: Double) { left -= seconds }
}
