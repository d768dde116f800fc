import SockeyeHTTP

/// Parsing and formatting of the dates in cache-related fields.
enum CacheDate {
    /// Returns the time of a date field in seconds since the start of 1970. Nil if there is no value, if a value is
    /// invalid, or if several values differ.
    ///
    /// Letters may be in either case, as RFC 9111 4.2 recommends to caches.
    static func seconds(_ values: [String], now: Int64) -> Int64? {
        guard let first = values.first, values.allSatisfy({ FieldBytes.areEqual($0, first) }) else { return nil }
        return (HTTPDate(first, now: now) ?? HTTPDate(withUsualCase(first), now: now))?.secondsSinceEpoch
    }

    /// Returns the text with only the first letter of each word in upper case, and the time zone in upper case.
    private static func withUsualCase(_ text: String) -> String {
        var output: [UInt8] = []
        var isInWord = false
        for byte in text.utf8 {
            let lower = ByteClass.lowercased(byte)
            let isLetter = lower &- 0x61 < 26
            output.append(isLetter && !isInWord ? lower & 0xDF : lower)
            isInWord = isLetter
        }
        if output.suffix(4).elementsEqual(" Gmt".utf8) {
            output.removeLast(3)
            output += "GMT".utf8
        }
        return String(decoding: output, as: UTF8.self)
    }
}

extension HTTPDate {
    /// The date as IMF-fixdate (RFC 9110 5.6.7).
    package var fieldValue: String {
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        // Clamped to the years 1970 to 9999: the calculation expects no negative number, and a year has four digits.
        let seconds = Int(clamping: min(max(0, secondsSinceEpoch), 253_402_300_799))
        let (days, time) = (seconds / 86_400, seconds % 86_400)
        let (year, month, day) = Self.civil(days)
        let clock = [time / 3600, time / 60 % 60, time % 60].map(Self.twoDigits).joined(separator: ":")
        return "\(weekdays[days % 7]), \(Self.twoDigits(day)) \(months[month - 1]) \(year) \(clock) GMT"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Converts days since the start of 1970 to a date, by the "civil from days" algorithm. Its years begin in March,
    /// so that the leap day is the last day of a year.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}
