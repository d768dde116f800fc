import SockeyeCore

/// The lines in which two texts differ, in the style of `diff`, at most eight of each text. The common start and the
/// common end are omitted. Lines are compared byte by byte, because `==` ignores differences between canonically
/// equivalent strings.
enum TextDifference {
    private static let lineLimit = 8
    private static let widthLimit = 160

    static func lines(expected: some StringProtocol, actual: some StringProtocol) -> [String] {
        let (one, other) = (lines(of: expected), lines(of: actual))
        let prefix = zip(one, other).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        let rest = zip(one.dropFirst(prefix).reversed(), other.dropFirst(prefix).reversed())
        let suffix = rest.prefix { $0.utf8.elementsEqual($1.utf8) }.count
        let removed = one.dropFirst(prefix).dropLast(suffix)
        let added = other.dropFirst(prefix).dropLast(suffix)
        guard !removed.isEmpty || !added.isEmpty else { return [] }
        let skipped = skipped(removed.first, added.first)
        return ["from line \(prefix + 1):"] + shown(removed, "-", skipped) + shown(added, "+", skipped)
    }

    /// Returns the number of equal characters to leave out at the start of two lines, so that their excerpts show the
    /// difference.
    private static func skipped(_ one: String?, _ other: String?) -> Int {
        guard let one, let other else { return 0 }
        let common = zip(one, other).prefix { $0 == $1 }.count
        return common > widthLimit / 2 ? common - 20 : 0
    }

    private static func lines(of text: some StringProtocol) -> [String] {
        // Splits bytes, because CRLF is a single Character.
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// - Parameter skipped: The number of characters to leave out of the first line.
    private static func shown(_ lines: ArraySlice<String>, _ sign: String, _ skipped: Int) -> [String] {
        let few = lines.prefix(lineLimit).enumerated().map { index, line in
            let start = index == 0 ? skipped : 0
            let rest = line.dropFirst(start)
            let excerpt = String(rest.prefix(widthLimit)).printable + (rest.count > widthLimit ? "…" : "")
            return "\(sign) " + (start > 0 ? "…" : "") + excerpt
        }
        return lines.count > lineLimit ? few + ["\(sign) … \(lines.count - lineLimit) more lines"] : few
    }
}
