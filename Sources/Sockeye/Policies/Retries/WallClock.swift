import Glibc

/// The time of day, for dates that peers send.
enum WallClock {
    /// Seconds since the start of 1970.
    @Sendable static func seconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }
}
