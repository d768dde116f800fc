/// A date of HTTP (RFC 9110 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`, or one of the two obsolete forms.
package struct HTTPDate: Sendable, Hashable {
    /// Seconds since the start of 1970, without leap seconds.
    package let secondsSinceEpoch: Int64

    package init(secondsSinceEpoch: Int64) {
        self.secondsSinceEpoch = secondsSinceEpoch
    }

    /// Parses any of the three forms; nil for anything else, including days and times that do not exist. The day of the
    /// week need not match the date.
    ///
    /// - Parameter now: Seconds since the start of 1970, to determine the century of a two-digit year.
    package init?(_ text: String, now: Int64) {
        let scanner = HTTPDateScanner(text)
        guard
            let parts = scanner.fixedLength() ?? scanner.withShortYear(in: Self.year(of: now)) ?? scanner.fromC(),
            let seconds = parts.secondsSinceEpoch
        else { return nil }
        secondsSinceEpoch = seconds
    }

    /// Returns the year of a time. Within about a day of New Year the result may be off by one, but it only serves to
    /// choose a century.
    private static func year(of seconds: Int64) -> Int {
        1970 + Int(clamping: seconds / 31_556_952)
    }
}

/// The components of a UTC date and time in the Gregorian calendar. They may name a date or time that does not exist.
struct HTTPDateParts: Equatable {
    var year: Int
    /// 1 to 12.
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    /// Up to 60, for leap seconds.
    var second: Int

    /// The seconds since the start of 1970; nil if the date or time does not exist.
    var secondsSinceEpoch: Int64? {
        guard (1...12).contains(month), (1...daysInMonth).contains(day), hour < 24, minute < 60, second <= 60 else {
            return nil
        }
        return Int64(daysSinceEpoch) * 86_400 + Int64(hour * 3600 + minute * 60 + second)
    }

    private var daysInMonth: Int {
        switch month {
        case 2: isLeapYear ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private var isLeapYear: Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// The days since the start of 1970, by the "days from civil" algorithm. Its years begin in March, so that the leap
    /// day is the last day of a year.
    private var daysSinceEpoch: Int {
        let (marchYear, marchMonth) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let leapDays = Self.floor(marchYear, by: 4) - Self.floor(marchYear, by: 100) + Self.floor(marchYear, by: 400)
        let daysBeforeMonth = (153 * marchMonth + 2) / 5
        // There are 719 468 days from the first of March of the year 0 to the start of 1970. One more is subtracted,
        // because `day` counts from 1.
        return marchYear * 365 + leapDays + daysBeforeMonth + day - 719_469
    }

    private static func floor(_ number: Int, by divisor: Int) -> Int {
        number >= 0 ? number / divisor : -1 - (-1 - number) / divisor
    }
}

/// The parser of the three forms of RFC 9110 5.6.7. A form must match the whole text.
struct HTTPDateScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let shortWeekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// Parses `Sun, 06 Nov 1994 08:49:37 GMT`.
    func fixedLength() -> HTTPDateParts? {
        var scanner = self
        guard scanner.name(Self.shortWeekdays) != nil, scanner.skip(", "), let day = scanner.number(2),
            scanner.skip(" "), let month = scanner.name(Self.months), scanner.skip(" "), let year = scanner.number(4),
            scanner.skip(" "), let time = scanner.time(), scanner.skip(" GMT"), scanner.rest.isEmpty
        else { return nil }
        return HTTPDateParts(
            year: year, month: month + 1, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    /// Parses `Sunday, 06-Nov-94 08:49:37 GMT`. The two digits mean a year from 49 years before the year `now` to 50
    /// years after it.
    func withShortYear(in now: Int) -> HTTPDateParts? {
        var scanner = self
        guard scanner.name(Self.weekdays) != nil, scanner.skip(", "), let day = scanner.number(2), scanner.skip("-"),
            let month = scanner.name(Self.months), scanner.skip("-"), let digits = scanner.number(2),
            scanner.skip(" "), let time = scanner.time(), scanner.skip(" GMT"), scanner.rest.isEmpty
        else { return nil }
        var year = now - now % 100 + digits
        if year > now + 50 { year -= 100 } else if year <= now - 50 { year += 100 }
        return HTTPDateParts(
            year: year, month: month + 1, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    /// Parses `Sun Nov  6 08:49:37 1994`, the format of C's `asctime`.
    func fromC() -> HTTPDateParts? {
        var scanner = self
        guard scanner.name(Self.shortWeekdays) != nil, scanner.skip(" "), let month = scanner.name(Self.months),
            scanner.skip(" "), let day = scanner.skip(" ") ? scanner.number(1) : scanner.number(2),
            scanner.skip(" "), let time = scanner.time(), scanner.skip(" "), let year = scanner.number(4),
            scanner.rest.isEmpty
        else { return nil }
        return HTTPDateParts(
            year: year, month: month + 1, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    private mutating func time() -> (hour: Int, minute: Int, second: Int)? {
        guard let hour = number(2), skip(":"), let minute = number(2), skip(":"), let second = number(2) else {
            return nil
        }
        return (hour, minute, second)
    }

    /// Takes exactly this many digits.
    private mutating func number(_ count: Int) -> Int? {
        let digits = rest.prefix(count)
        guard digits.count == count, digits.allSatisfy(ByteClass.isDigit) else { return nil }
        rest = rest.dropFirst(count)
        return digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }

    private mutating func skip(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    /// Takes one of `names` and returns its index; nil if the text does not continue with any of them.
    private mutating func name(_ names: [String]) -> Int? {
        names.firstIndex { skip($0) }
    }
}
