/// The outcome of a target in a run.
package enum TargetOutcome: Sendable, Equatable {
    /// The worst measured value, as a multiple of the yardstick, and in words. `margin` is its advantage as a fraction
    /// of the target; negative if the target was missed.
    case measured(Double, text: String, margin: Double, isMet: Bool)
    /// The figures that the target needs were not measured.
    case notMeasured(String)

    /// The outcome in words: `met`, `missed by 12 %`, `not measured`.
    package var verdict: String {
        switch self {
        case .measured(_, _, _, true): "met"
        case .measured(_, _, let margin, false): "missed by \(Self.percent(-margin))"
        case .notMeasured: "not measured"
        }
    }

    package var isMissed: Bool {
        if case .measured(_, _, _, false) = self { true } else { false }
    }

    package var isUnknown: Bool {
        if case .notMeasured = self { true } else { false }
    }

    /// The measured value in words, or the reason why it was not measured.
    package var measuredText: String {
        switch self {
        case .measured(_, let text, _, _): text
        case .notMeasured(let reason): reason
        }
    }

    private static func percent(_ fraction: Double) -> String {
        let percent = (fraction * 100).rounded()
        return percent < 1 ? "less than 1 %" : "\(Int(percent)) %"
    }
}
