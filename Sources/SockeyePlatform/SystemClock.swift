import CSockeyeSystem
import Glibc

/// The system's clocks (clock_gettime(2)), which are read without a system call (vdso(7)).
@usableFromInline package enum SystemClock {
    /// The monotonic clock in nanoseconds, for deadlines.
    @inlinable package static var monotonicNanoseconds: Int64 {
        @inline(__always) get {
            var time = timespec()
            unsafe clock_gettime(CLOCK_MONOTONIC, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
    }

    /// The wall-clock time in seconds since 1970-01-01T00:00:00Z. May jump backwards.
    package static var unixTime: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }
}

/// A calendar date and time in UTC (C's `struct tm`).
@safe package struct CalendarTime {
    /// The fields, filled in by C functions.
    package var fields = unsafe tm()

    package init() {}

    package var unixTime: Int {
        var fields = unsafe fields
        return unsafe timegm(&fields)
    }

    /// The time as text, such as `2026-01-31 09:05:00 UTC`.
    package var text: String {
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = unsafe "\(fields.tm_year + 1900)-\(two(fields.tm_mon + 1))-\(two(fields.tm_mday))"
        return unsafe "\(day) \(two(fields.tm_hour)):\(two(fields.tm_min)):\(two(fields.tm_sec)) UTC"
    }
}
