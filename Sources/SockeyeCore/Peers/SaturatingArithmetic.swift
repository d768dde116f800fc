extension FixedWidthInteger {
    /// The sum, or the nearest value of the type if the sum overflows.
    @inlinable
    package func addingSaturated(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the nearest value of the type if the difference overflows.
    @inlinable
    package func subtractingSaturated(_ other: Self) -> Self {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    /// The product, or the nearest value of the type if the product overflows.
    @inlinable
    package func multipliedSaturated(by other: Self) -> Self {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}

extension Duration {
    /// The sum, or the longest duration of the same sign if the sum overflows.
    package func addingSaturated(_ other: Duration) -> Duration {
        Duration(attoseconds: attoseconds.addingSaturated(other.attoseconds))
    }

    /// The difference, or the longest duration of the same sign if the difference overflows.
    package func subtractingSaturated(_ other: Duration) -> Duration {
        Duration(attoseconds: attoseconds.subtractingSaturated(other.attoseconds))
    }

    /// The duration for a number of seconds, clamped to ±2^62 s; zero for NaN. `Duration.seconds(_:)` traps on NaN,
    /// infinity and numbers beyond its range.
    package static func clampedSeconds(_ seconds: Double) -> Duration {
        guard !seconds.isNaN else { return .zero }
        let limit = Double(PeerNumber.largest)
        return .seconds(Swift.min(limit, Swift.max(-limit, seconds)))
    }
}
