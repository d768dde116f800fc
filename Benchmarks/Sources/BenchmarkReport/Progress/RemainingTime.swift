/// How much longer a run will take, from what was planned and from how long the steps behind it took.
package struct RemainingTime: Sendable {
    private var left: Double
    private var planned = 0.0
    private var taken = 0.0

    /// Plans so many seconds.
    package init(planned seconds: Double) { left = seconds }

    /// A step for which so many seconds were planned took so many.
    package mutating func finish(planned seconds: Double, took actual: Double) {
        left = max(0, left - seconds)
        planned += seconds
        taken += actual
    }

    /// The first steps count less than the plan, so that one slow step does not scare anybody.
    package var seconds: Double {
        let trust = 10.0
        return left * (taken + trust) / (planned + trust)
    }

    package var text: String { Self.text(seconds) }

    /// `about 40 s`, `about 3 min`: not more exact than it is.
    package static func text(_ seconds: Double) -> String {
        if seconds < 10 { return "a few seconds" }
        if seconds < 90 { return "about \(Int((seconds / 5).rounded()) * 5) s" }
        return "about \(Int((seconds / 60).rounded())) min"
    }
}
