/// The outcome of a target in a run.
package enum TargetOutcome: Sendable, Equatable {
    /// The worst measured value, as a multiple of the yardstick, and in words. `margin` is its advantage as a fraction
    /// of the target; negative if the target was missed.
    case seen(Double, text: String, margin: Double, isMet: Bool)
    /// The figures that the target needs were not measured.
    case notRun(String)

    /// The outcome in words: `met`, `missed by 12 %`, `not run`.
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
