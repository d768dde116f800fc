import SockeyePlatform

/// The clocks of the library: the system's, or one that a test moves by hand.
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

    /// The clock on the wall, for what has a date: seconds since 1970-01-01T00:00:00Z. May be set back.
    package var unixTime: Int64 {
        if let manual { return manual.unixTime }
        return SystemClock.unixTime
    }
}
