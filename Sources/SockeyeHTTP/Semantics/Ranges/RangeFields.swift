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

/// The value of a Content-Range field in bytes (RFC 9110 14.4): which part of a representation a 206 carries, or how
/// long one is of which no part could be given (416).
package enum ContentRange: Sendable, Hashable, CustomStringConvertible {
    /// `bytes 0-99/1000`, or `bytes 0-99/*` where the whole length is not known.
    case part(first: Int, last: Int, total: Int?)
    /// `bytes */1000`.
    case unsatisfied(total: Int)

    /// Nil for other units (but servers forget the unit of `*/1000`) and for everything that RFC 9110 14.4 calls
    /// invalid: a last position before the first one or behind the end, and numbers above 2^62.
    package init?(_ value: String) {
        let (slash, star) = (UInt8(ascii: "/"), UInt8(ascii: "*"))
        var scan = FieldScanner(value.utf8Span.span)
        scan.trim()
        if scan.peek != star {
            guard scan.skip(letters: "bytes"), scan.skipBlanks() else { return nil }
        }
        if scan.skip(star) {
            guard scan.skip(slash), let total = scan.number(), scan.isAtEnd else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        guard let first = scan.number(), scan.skip(UInt8(ascii: "-")), let last = scan.number(), scan.skip(slash)
        else { return nil }
        let isUnknown = scan.skip(star)
        let total = isUnknown ? nil : scan.number()
        guard isUnknown || total != nil, scan.isAtEnd, first <= last, last < total ?? .max else { return nil }
        self = .part(first: first, last: last, total: total)
    }

    /// The one value of a response's fields; several that differ, and lists, say nothing.
    package init?(_ values: [String]) {
        guard let first = values.first, values.allSatisfy({ $0 == first }) else { return nil }
        self.init(first)
    }

    /// The value as it goes into a field.
    package var description: String {
        switch self {
        case .part(let first, let last, let total): "bytes \(first)-\(last)/\(total.map(String.init) ?? "*")"
        case .unsatisfied(let total): "bytes */\(total)"
        }
    }
}

/// Accept-Ranges: whether a server supports range requests for a resource (RFC 9110 14.3).
package enum RangeSupport: Sendable, Hashable {
    /// It has parts in bytes.
    case bytes
    /// It has none: `none`, or other units only.
    case none
    /// It does not say. Asking is allowed all the same.
    case unknown

    package init(_ values: [String]) {
        self = .unknown
        for value in values {
            var scan = FieldScanner(value.utf8Span.span)
            while let unit = scan.member() {
                if scan.equals(unit, "bytes") { self = .bytes } else if self == .unknown { self = .none }
            }
        }
    }
}
