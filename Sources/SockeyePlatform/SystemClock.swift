import CSockeyeSystem

/// The system's clocks (clock_gettime(2)), which are read without a system call (vdso(7)).
@usableFromInline package enum SystemClock {
    /// The monotonic clock in nanoseconds, for deadlines.
    @inlinable package static var monotonicNanoseconds: Int64 {
        @inline(__always) get { sockeye_monotonic_nanoseconds() }
    }

    /// The wall-clock time in seconds since 1970-01-01T00:00:00Z. May jump backwards.
    package static var unixTime: Int64 { sockeye_unix_time() }
}

/// A calendar date and time in UTC.
package struct CalendarTime: Sendable, Hashable {
    package var year: Int32
    /// Counted from 1, like the day.
    package var month: Int32
    package var day: Int32
    package var hour: Int32
    package var minute: Int32
    package var second: Int32

    package init(year: Int32, month: Int32, day: Int32, hour: Int32, minute: Int32, second: Int32) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    package var unixTime: Int { Int(sockeye_unix_time_of(year, month, day, hour, minute, second)) }

    /// The time as text, such as `2026-01-31 09:05:00 UTC`.
    package var text: String {
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day)) \(two(hour)):\(two(minute)):\(two(second)) UTC"
    }
}
