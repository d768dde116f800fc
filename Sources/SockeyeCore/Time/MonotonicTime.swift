import SockeyePlatform

/// A point on the monotonic clock, in nanoseconds; used for all deadlines inside the library.
///
/// A plain integer, so that setting a deadline is a store and comparing two deadlines is one instruction.
@usableFromInline package struct MonotonicTime: Sendable, Hashable, Comparable {
    @usableFromInline package var nanoseconds: Int64

    @inlinable
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// Later than every real time: "no deadline".
    package static let distantFuture = MonotonicTime(nanoseconds: .max)
    package static let zero = MonotonicTime(nanoseconds: 0)

    @inlinable
    package static func < (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    // The standard library's operators `>=`, `<=` and `>` are generic. Other modules would call them through a witness
    // table, so this type declares its own.
    @inlinable
    package static func >= (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds >= right.nanoseconds
    }

    @inlinable
    package static func <= (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds <= right.nanoseconds
    }

    @inlinable
    package static func > (left: MonotonicTime, right: MonotonicTime) -> Bool {
        left.nanoseconds > right.nanoseconds
    }

    /// The earlier of two times. The standard library's `min` is generic, and compares through a witness table.
    @inlinable
    package static func earlier(_ one: MonotonicTime, _ other: MonotonicTime) -> MonotonicTime {
        one.nanoseconds <= other.nanoseconds ? one : other
    }

    /// Returns this time moved by `duration`, clamped to the range from ``zero`` to ``distantFuture``. A time that is
    /// ``distantFuture`` is not moved.
    ///
    /// The result is never negative, so the difference of two results cannot overflow.
    package func advanced(by duration: Duration) -> MonotonicTime {
        guard self != .distantFuture else { return self }
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.clampedNanoseconds)
        guard !overflow else { return duration < .zero ? .zero : .distantFuture }
        return MonotonicTime(nanoseconds: max(0, sum))
    }

    /// Returns this time moved by `duration`; ``distantFuture`` if `duration` is nil.
    package func deadline(after duration: Duration?) -> MonotonicTime {
        guard let duration else { return .distantFuture }
        return advanced(by: duration)
    }

    /// Returns the time from `earlier` to this time; zero if `earlier` is after this time.
    package func since(_ earlier: MonotonicTime) -> Duration {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        return overflow ? .zero : .nanoseconds(max(0, difference))
    }
}

extension Duration {
    private static var attosecondsInNanosecond: UInt64 { 1_000_000_000 }

    /// The duration in nanoseconds, rounded toward zero and clamped to the range of 64 bits (292 years).
    package var clampedNanoseconds: Int64 {
        // A single division by a 64-bit divisor. Splitting the duration into seconds and attoseconds takes four times
        // as long, and each request turns some durations into deadlines.
        let attoseconds = self.attoseconds
        let magnitude = attoseconds.magnitude
        let (high, low) = (UInt64(truncatingIfNeeded: magnitude >> 64), UInt64(truncatingIfNeeded: magnitude))
        // From 2^63 nanoseconds on, the value is clamped.
        guard high < Self.attosecondsInNanosecond / 2 else { return attoseconds < 0 ? .min : .max }
        let whole = Int64(Self.attosecondsInNanosecond.dividingFullWidth((high, low)).quotient)
        return attoseconds < 0 ? -whole : whole
    }
}

/// A clock of the library: the system's, or one that a test moves by hand.
package struct TimeSource: Sendable {
    /// Nil on the system clock, so that the common case is one predictable branch and a vDSO call.
    package let manual: ManualTime?

    package static let system = TimeSource(manual: nil)

    package init(manual: ManualTime?) {
        self.manual = manual
    }

    /// The monotonic clock, for deadlines.
    package var now: MonotonicTime {
        if let manual { return manual.now }
        return MonotonicTime(nanoseconds: SystemClock.monotonicNanoseconds)
    }

    /// The wall clock, for dates: seconds since 1970-01-01T00:00:00Z. It may be set back.
    package var unixTime: Int64 {
        if let manual { return manual.unixTime }
        return SystemClock.unixTime
    }
}
