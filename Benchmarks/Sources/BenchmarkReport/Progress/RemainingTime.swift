/// An estimate of the remaining time of a run, from the plan and the duration of the finished steps.
package struct RemainingTime: Sendable {
    private var left: Double
    private var planned = 0.0
    private var taken = 0.0

    /// Makes an estimate with a number of planned seconds.
    package init(planned seconds: Double) { left = seconds }

    /// Records the planned and the actual seconds of a finished step.
    package mutating func finish(planned seconds: Double, took actual: Double) {
        left = max(0, left - seconds)
        planned += seconds
        taken += actual
    }

    /// The remaining seconds. The first steps have less weight than the plan, so that one slow step changes little.
    package var seconds: Double {
        let trust = 10.0
        return left * (taken + trust) / (planned + trust)
    }

    package var text: String { Self.text(seconds) }

    /// Formats a time without false precision: `about 40 s`, `about 3 min`.
    package static func text(_ seconds: Double) -> String {
        if seconds < 10 { return "a few seconds" }
        if seconds < 90 { return "about \(Int((seconds / 5).rounded()) * 5) s" }
        return "about \(Int((seconds / 60).rounded())) min"
    }
}
