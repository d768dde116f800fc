/// Reads dates byte by byte. Each form is read from the start, and to the end of the text.
struct HTTPDateScanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let shortWeekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    func fixedLength() -> HTTPDateParts? {
        var scanner = self
        guard scanner.name(Self.shortWeekdays) != nil, scanner.skip(", "), let day = scanner.number(2),
            scanner.skip(" "), let month = scanner.name(Self.months), scanner.skip(" "), let year = scanner.number(4),
            scanner.skip(" "), let time = scanner.time(), scanner.skip(" GMT"), scanner.rest.isEmpty
        else { return nil }
        return HTTPDateParts(
            year: year, month: month + 1, day: day, hour: time.hour, minute: time.minute, second: time.second)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`: the year is the one of these digits that is at most 50 years after `now`, and
    /// else in the past.
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

    /// `Sun Nov  6 08:49:37 1994`, as C's `asctime` writes it.
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

    /// Exactly this many digits.
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

    /// Which of the names comes next.
    private mutating func name(_ names: [String]) -> Int? {
        names.firstIndex { skip($0) }
    }
}
