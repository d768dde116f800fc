/// The readings of the machine around a sample that was kept.
package struct SampleConditions: Codable, Sendable, Equatable {
    /// The readings right before the sample began and right after it ended.
    package let before: MachineReading
    package let after: MachineReading
    /// The number of repetitions before the sample was kept.
    package let repeats: Int

    package init(before: MachineReading, after: MachineReading, repeats: Int) {
        self.before = before
        self.after = after
        self.repeats = repeats
    }

    /// Returns true if the machine was slow before or after the sample, and so may have been slow during it.
    package func isDisturbed(by yardstick: Yardstick) -> Bool {
        yardstick.isSlow(before) || yardstick.isSlow(after)
    }

    /// The larger of the distances of the cores before and after the sample; nil if it is unknown, or if the cores were
    /// near at one end and far apart at the other.
    package var coreDistance: Double? {
        guard Yardstick.isSameDistance(before.coreDistance, after.coreDistance) else { return nil }
        return [before.coreDistance, after.coreDistance].compactMap(\.self).max()
    }
}
