/// The lines in which two texts differ, in the style of `diff`, at most eight of each text. The common start and the
/// common end are omitted. Lines are compared byte by byte, because canonically equivalent texts are different bodies.
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
        return ["from line \(prefix + 1):"] + shown(removed, "-") + shown(added, "+")
    }

    private static func lines(of text: some StringProtocol) -> [String] {
        // Splits bytes, because CRLF is a single Character.
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    private static func shown(_ lines: ArraySlice<String>, _ sign: String) -> [String] {
        let few = lines.prefix(lineLimit).map { line in
            "\(sign) " + (line.count > widthLimit ? line.prefix(widthLimit) + "…" : line)
        }
        return lines.count > lineLimit ? few + ["\(sign) … \(lines.count - lineLimit) more lines"] : few
    }
}
