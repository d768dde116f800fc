/// One range of a Range field in bytes (RFC 9110 14.1.2).
package enum ByteRange: Sendable, Hashable, CustomStringConvertible {
    /// `500-`: from a position on.
    case from(Int)
    /// `500-999`: the last position is part of it.
    case through(first: Int, last: Int)
    /// `-500`: so many bytes at the end.
    case suffix(Int)

    /// More ranges in one field than this are not read; answering many overlapping ones has been used for attacks
    /// (RFC 9110 17.15).
    package static let maximumCount = 64

    /// Reads one range, such as `500-999`.
    private init?(_ text: Substring.UTF8View) {
        guard let dash = text.firstIndex(of: UInt8(ascii: "-")) else { return nil }
        let (before, after) = (text[..<dash], text[text.index(after: dash)...])
        switch (DecimalDigits.parse(before), DecimalDigits.parse(after)) {
        case (let first?, let last?) where first <= last: self = .through(first: first, last: last)
        case (let first?, nil) where after.isEmpty: self = .from(first)
        case (nil, let count?) where before.isEmpty: self = .suffix(count)
        default: return nil
        }
    }

    /// The ranges of a field; nil for other units, and when one of them is malformed.
    package static func parse(_ field: String) -> [ByteRange]? {
        var rest = field[...].utf8.withoutBlanks
        guard rest.skip("bytes=") else { return nil }
        var ranges: [ByteRange] = []
        for member in rest.split(separator: UInt8(ascii: ",")) {
            let member = member.withoutBlanks
            guard !member.isEmpty else { continue }
            guard let range = ByteRange(member), ranges.count < maximumCount else { return nil }
            ranges.append(range)
        }
        return ranges.isEmpty ? nil : ranges
    }

    /// The field that asks for this range alone.
    package var fieldValue: String { "bytes=\(self)" }

    /// The range without its unit.
    package var description: String {
        switch self {
        case .from(let first): "\(first)-"
        case .through(let first, let last): "\(first)-\(last)"
        case .suffix(let count): "-\(count)"
        }
    }
}
