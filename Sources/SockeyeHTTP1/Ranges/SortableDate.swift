/// A date of HTTP in the one form that is still written (IMF-fixdate, RFC 9110 5.6.7), to tell which of two is the later
/// one; that takes no calendar.
struct SortableDate: Comparable {
    /// Year, month, day, hour, minute and second, two digits each but the year.
    private let digits: Int

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`; nil for everything else.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 29, bytes[3...4].elementsEqual(", ".utf8), bytes[25...].elementsEqual(" GMT".utf8),
            bytes[7] == 0x20, bytes[11] == 0x20, bytes[16] == 0x20, bytes[19] == 0x3A, bytes[22] == 0x3A,
            let month = Self.months.firstIndex(where: { bytes[8...10].elementsEqual($0.utf8) }),
            let day = DecimalDigits.parse(bytes[5...6]), let year = DecimalDigits.parse(bytes[12...15]),
            let hour = DecimalDigits.parse(bytes[17...18]), let minute = DecimalDigits.parse(bytes[20...21]),
            let second = DecimalDigits.parse(bytes[23...24]),
            (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        digits = [month + 1, day, hour, minute, second].reduce(year) { $0 * 100 + $1 }
    }

    static func < (left: SortableDate, right: SortableDate) -> Bool { left.digits < right.digits }
}
