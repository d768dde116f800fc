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
    private init?(_ scan: consuming FieldScanner) {
        let (first, isSuffix) = (scan.number(), scan.position == 0)
        guard first != nil || isSuffix, scan.skip(UInt8(ascii: "-")) else { return nil }
        let isOpen = scan.isAtEnd
        let last = scan.number()
        guard scan.isAtEnd else { return nil }
        switch (first, last) {
        case (let first?, let last?) where first <= last: self = .through(first: first, last: last)
        case (let first?, nil) where isOpen: self = .from(first)
        case (nil, let count?): self = .suffix(count)
        default: return nil
        }
    }

    /// The ranges of a field; nil for other units, and when one of them is malformed.
    package static func parse(_ field: String) -> [ByteRange]? {
        var scan = FieldScanner(field.utf8Span.span)
        scan.skipBlanks()
        guard scan.skip(letters: "bytes"), scan.skip(UInt8(ascii: "=")) else { return nil }
        var ranges: [ByteRange] = []
        while let member = scan.member() {
            guard let range = ByteRange(scan.part(member)), ranges.count < maximumCount else { return nil }
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
