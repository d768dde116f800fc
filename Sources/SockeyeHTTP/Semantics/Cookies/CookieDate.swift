/// The parser of Expires dates, with parts in nearly any order and nearly any delimiters (RFC 6265bis 5.1.1).
package struct CookieDate {
    private var time: (hour: Int, minute: Int, second: Int)?
    private var day: Int?
    private var month: Int?
    private var year: Int?

    /// Returns the seconds since 1970-01-01T00:00:00Z; nil for invalid dates. Time zones are ignored: every time is
    /// read as UTC.
    package static func seconds(_ text: ArraySlice<UInt8>) -> Int64? {
        var date = CookieDate()
        for token in text.split(whereSeparator: isDelimiter) { date.read(token) }
        return date.seconds
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// Interprets a token as the first of time, day, month and year that is still missing and that the token matches.
    private mutating func read(_ token: ArraySlice<UInt8>) {
        if time == nil, let time = Self.time(token) {
            self.time = time
        } else if day == nil, let day = Self.number(token, digits: 1...2) {
            self.day = day
        } else if month == nil, let month = Self.month(token) {
            self.month = month
        } else if year == nil, let year = Self.number(token, digits: 2...4) {
            self.year = year
        }
    }

    /// Returns the number at the start of the token, if it has an allowed number of digits.
    private static func number(_ token: ArraySlice<UInt8>, digits: ClosedRange<Int>) -> Int? {
        let number = token.prefix(while: ByteClass.isDigit)
        guard digits.contains(number.count) else { return nil }
        return number.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func time(_ token: ArraySlice<UInt8>) -> (hour: Int, minute: Int, second: Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].allSatisfy(ByteClass.isDigit), parts[1].allSatisfy(ByteClass.isDigit),
            let hour = number(parts[0], digits: 1...2), let minute = number(parts[1], digits: 1...2),
            let second = number(parts[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static func month(_ token: ArraySlice<UInt8>) -> Int? {
        guard token.count >= 3 else { return nil }
        let names: StaticString = "janfebmaraprmayjunjulaugsepoctnovdec"
        return names.withUTF8Buffer { names in
            (0..<12).first { month in
                unsafe zip(token.prefix(3), names[(month * 3)...]).allSatisfy { ByteClass.lowercased($0) == $1 }
            }.map { $0 + 1 }
        }
    }

    private var seconds: Int64? {
        guard let time, let day, let month, var year else { return nil }
        if (70...99).contains(year) { year += 1900 }
        if (0...69).contains(year) { year += 2000 }
        guard year >= 1601, time.second <= 59 else { return nil }
        return HTTPDateParts(
            year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second
        ).secondsSinceEpoch
    }
}
