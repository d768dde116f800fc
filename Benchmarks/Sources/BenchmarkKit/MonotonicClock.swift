internal import Glibc

/// The clock of all measurements.
package enum MonotonicClock {
    /// The nanoseconds since a fixed point in the past.
    package static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}
