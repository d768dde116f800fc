/// The Retry-After field: the time that a response asks the client to wait (RFC 9110 10.2.3).
package enum RetryAfter {
    /// The maximum pause in seconds (68 years): the limit of RFC 9111 1.2.2 for delta-seconds.
    private static let longest: Int64 = 1 << 31

    /// Returns the pause that a number of seconds or a date in Retry-After asks for; nil for any other value.
    /// Fractions, which some servers send but RFC 9110 does not allow, are rounded up, so that the client does not
    /// retry too early.
    ///
    /// - Parameters:
    ///   - value: The value of Retry-After.
    ///   - date: The value of Date, the server's time. If it is missing or invalid, the local time is used instead.
    ///   - now: The local time in seconds since the start of 1970.
    package static func pause(_ value: String?, date: String?, now: Int64) -> Duration? {
        guard let value, !value.isEmpty else { return nil }
        if let seconds = seconds(value) { return .seconds(seconds) }
        guard let end = HTTPDate(value, now: now) else { return nil }
        let start = date.flatMap { HTTPDate($0, now: now)?.secondsSinceEpoch } ?? now
        let (difference, overflow) = end.secondsSinceEpoch.subtractingReportingOverflow(start)
        return overflow ? nil : .seconds(min(longest, max(0, difference)))
    }

    /// Parses a decimal number and rounds it up; nil for anything else.
    private static func seconds(_ value: String) -> Int64? {
        let parts = value.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard value.utf8.count > parts.count - 1, parts.allSatisfy({ $0.allSatisfy(ByteClass.isDigit) }) else {
            return nil
        }
        var seconds: Int64 = 0
        for digit in parts[0] where seconds < longest { seconds = seconds * 10 + Int64(digit &- 0x30) }
        let hasFraction = parts.count > 1 && parts[1].contains { $0 != UInt8(ascii: "0") }
        return min(longest, seconds + (hasFraction ? 1 : 0))
    }
}
