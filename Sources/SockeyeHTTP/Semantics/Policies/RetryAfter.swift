/// Retry-After: how long a response asks the client to wait (RFC 9110 10.2.3).
package enum RetryAfter {
    /// No pause is longer than this number of seconds (68 years), whatever is asked for; RFC 9111 1.2.2 has the number.
    private static let longest: Int64 = 1 << 31

    /// The pause that a field asks for: a number of seconds, or a date; nil for anything else. Some servers send fractions, which
    /// RFC 9110 does not allow; they are rounded up, so that the client does not come too early.
    ///
    /// - Parameters:
    ///   - value: The value of Retry-After.
    ///   - date: The value of Date: when the server's clock showed what its dates mean. Without it, or where it is no
    ///     date, this machine's clock has to do.
    ///   - now: What that shows: seconds since the start of 1970.
    package static func pause(_ value: String?, date: String?, now: Int64) -> Duration? {
        guard let value, !value.isEmpty else { return nil }
        if let seconds = seconds(value) { return .seconds(seconds) }
        guard let end = HTTPDate(value, now: now) else { return nil }
        let start = date.flatMap { HTTPDate($0, now: now)?.secondsSinceEpoch } ?? now
        let (difference, overflow) = end.secondsSinceEpoch.subtractingReportingOverflow(start)
        return overflow ? nil : .seconds(min(longest, max(0, difference)))
    }

    /// Nil unless the value is a decimal number.
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
