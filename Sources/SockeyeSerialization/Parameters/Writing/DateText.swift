import SockeyeEssentials

/// A point in time as a calendar date and time of day in UTC, in the proleptic Gregorian calendar.
struct DateText {
    /// The whole seconds since 1970; negative before.
    private let seconds: Int64
    /// The milliseconds within the second: 0 to 999.
    private let milliseconds: Int64
    private let day: (year: Int64, month: Int64, day: Int64)

    /// Nil for a time outside the years 0 to 9999, and for NaN.
    ///
    /// - Parameter rounding: True to round to the nearest millisecond, since a fraction is rarely exact in binary.
    ///   False to round down, like Foundation.
    init?(_ date: Date, rounding: Bool = false) {
        let time = date.timeIntervalSince1970
        guard time >= -62_167_219_200, time < 253_402_300_800 else { return nil }
        let fraction = Int64((time * 1000).rounded(rounding ? .toNearestOrEven : .down))
        seconds = fraction.floored(by: 1000).quotient
        milliseconds = fraction.floored(by: 1000).remainder
        day = Self.civil(seconds.floored(by: 86400).quotient)
        guard day.year < 10_000 else { return nil }
    }

    /// `2001-01-01 00:00:00 +0000`, like Foundation's `description` of a date.
    var spaced: String { "\(calendarDate) \(clock) +0000" }

    /// `2001-01-01T00:00:00Z` (RFC 3339).
    var iso8601: String { "\(calendarDate)T\(clock)Z" }

    /// `2001-01-01T00:00:00.000Z` (RFC 3339).
    var iso8601WithMilliseconds: String { "\(calendarDate)T\(clock).\(milliseconds.padded(to: 3))Z" }

    private var calendarDate: String {
        "\(day.year.padded(to: 4))-\(day.month.padded(to: 2))-\(day.day.padded(to: 2))"
    }

    private var clock: String {
        let time = seconds.floored(by: 86400).remainder
        return "\((time / 3600).padded(to: 2)):\((time / 60 % 60).padded(to: 2)):\((time % 60).padded(to: 2))"
    }

    /// Converts days since 1970 to a date. The calculation counts days from 1 March of the year 0, which is 719,468
    /// days before 1970. Its years begin in March, so that the leap day is the last day of a year. An era is 400 years,
    /// or 146,097 days.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).floored(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isNextYear = month >= 10
        return (
            era * 400 + yearOfEra + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }
}

extension Int64 {
    /// Division that rounds down, for times before the epoch. `divisor` is positive.
    fileprivate func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    /// Returns the number in decimal, with leading zeros up to `width` digits. The number must not be negative.
    fileprivate func padded(to width: Int) -> String {
        let text = description
        return String(repeating: "0", count: Swift.max(0, width - text.utf8.count)) + text
    }
}
