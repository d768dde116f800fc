/// What the machine was like around a sample that was kept.
package struct SampleConditions: Codable, Sendable, Equatable {
    /// Right before it began and right after it ended.
    package let before: MachineReading
    package let after: MachineReading
    /// How often it was taken again before it was kept.
    package let repeats: Int

    package init(before: MachineReading, after: MachineReading, repeats: Int) {
        self.before = before
        self.after = after
        self.repeats = repeats
    }

    /// Whether the machine was slow at one of its ends, and so may have been in between.
    package func isDisturbed(by yardstick: Yardstick) -> Bool {
        yardstick.isSlow(before) || yardstick.isSlow(after)
    }

    /// How far apart the cores were at the one of its ends where they were further; nil where that is not known, or where
    /// they were near at one end and far at the other.
    package var coreDistance: Double? {
        guard Yardstick.isSameDistance(before.coreDistance, after.coreDistance) else { return nil }
        return [before.coreDistance, after.coreDistance].compactMap(\.self).max()
    }
}
