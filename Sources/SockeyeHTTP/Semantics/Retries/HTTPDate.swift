/// A point in time as HTTP writes it (RFC 9110 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`, or one of the two obsolete forms.
package struct HTTPDate: Sendable, Hashable {
    /// Seconds since the start of 1970, leap seconds not counted.
    package let secondsSinceEpoch: Int64

    package init(secondsSinceEpoch: Int64) {
        self.secondsSinceEpoch = secondsSinceEpoch
    }

    /// Reads any of the three forms; nil for everything else, days that do not exist included. Which day of the week the
    /// text says it was does not matter.
    ///
    /// - Parameter now: Seconds since the start of 1970, to tell the century of a year of two digits.
    package init?(_ text: String, now: Int64) {
        let scanner = HTTPDateScanner(text)
        guard
            let parts = scanner.fixedLength() ?? scanner.withShortYear(in: Self.year(of: now)) ?? scanner.fromC(),
            let seconds = parts.secondsSinceEpoch
        else { return nil }
        secondsSinceEpoch = seconds
    }

    /// The year of a time, to within a day or so at its ends: it only chooses a century.
    private static func year(of seconds: Int64) -> Int {
        1970 + Int(clamping: seconds / 31_556_952)
    }
}
