/// What became of a target in a run.
package enum TargetOutcome: Sendable, Equatable {
    /// The worst of what was seen, as a multiple of the yardstick, and in words. `margin` is what it is better by, as a
    /// fraction of the target; below zero if the target was missed.
    case seen(Double, text: String, margin: Double, isMet: Bool)
    /// Nothing was measured that could tell.
    case notRun(String)

    /// In words: `met`, `missed by 12 %`, `not run`.
    package var verdict: String {
        switch self {
        case .seen(_, _, _, true): "met"
        case .seen(_, _, let margin, false): "missed by \(Self.percent(-margin))"
        case .notRun: "not run"
        }
    }

    package var isMissed: Bool {
        if case .seen(_, _, _, false) = self { true } else { false }
    }

    package var isUnknown: Bool {
        if case .notRun = self { true } else { false }
    }

    package var seenText: String {
        switch self {
        case .seen(_, let text, _, _): text
        case .notRun(let reason): reason
        }
    }

    private static func percent(_ fraction: Double) -> String {
        let percent = (fraction * 100).rounded()
        return percent < 1 ? "less than 1 %" : "\(Int(percent)) %"
    }
}
