/// What a date consists of, before it is known to exist.
struct HTTPDateParts: Equatable {
    var year: Int
    /// 1 to 12.
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    /// Up to 60, which a leap second has.
    var second: Int

    /// Nil when there is no such time.
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

    /// Counted from March, so that the day which not every year has is the last one.
    private var daysSinceEpoch: Int {
        let (marchYear, marchMonth) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let leapDays = Self.floor(marchYear, by: 4) - Self.floor(marchYear, by: 100) + Self.floor(marchYear, by: 400)
        let daysBeforeMonth = (153 * marchMonth + 2) / 5
        // 719 469 days lie between the first of March of the year 0 and the start of 1970, this very day included.
        return marchYear * 365 + leapDays + daysBeforeMonth + day - 719_469
    }

    private static func floor(_ number: Int, by divisor: Int) -> Int {
        number >= 0 ? number / divisor : -1 - (-1 - number) / divisor
    }
}
