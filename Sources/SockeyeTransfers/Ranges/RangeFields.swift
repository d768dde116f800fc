import SockeyeHTTP

/// One byte range of a Range field (RFC 9110 14.1.2).
package enum ByteRange: Sendable, Hashable, CustomStringConvertible {
    /// `500-`: from a position to the end.
    case from(Int)
    /// `500-999`: from a position to another one, inclusive.
    case through(first: Int, last: Int)
    /// `-500`: this many bytes at the end.
    case suffix(Int)

    /// The maximum number of ranges in one field. Many overlapping ranges have been used for attacks (RFC 9110 17.15).
    package static let maximumCount = 64

    /// Parses one range, such as `500-999`.
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

    /// Parses the ranges of a field; nil for other units, if a range is malformed, and for more than ``maximumCount``
    /// ranges.
    package static func parse(_ field: String) -> [ByteRange]? {
        var scan = FieldScanner(field.utf8Span.span)
        scan.skipBlanks()
        guard scan.skip(letters: "bytes"), scan.skip(UInt8(ascii: "=")) else { return nil }
        var ranges: [ByteRange] = []
        while let member = scan.member() {
            guard let range = ByteRange(scan.subscanner(member)), ranges.count < maximumCount else { return nil }
            ranges.append(range)
        }
        return ranges.isEmpty ? nil : ranges
    }

    /// The value of a Range field for this range alone.
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

/// The value of a Content-Range field with the unit `bytes` (RFC 9110 14.4). In a 206 response, the field names the
/// part that the response carries. In a 416 response, it names the length of the representation.
package enum ContentRange: Sendable, Hashable, CustomStringConvertible {
    /// `bytes 0-99/1000`, or `bytes 0-99/*` if the total length is unknown.
    case part(first: Int, last: Int, total: Int?)
    /// `bytes */1000`: no part.
    case unsatisfied(total: Int)

    /// Parses a value; nil for other units, for numbers above 2^62, and for values that RFC 9110 14.4 calls invalid.
    /// `*/1000` is accepted without a unit, because some servers omit the unit.
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

    /// Parses the values of all Content-Range fields of a response; nil if the values differ or a value is a list.
    package init?(_ values: [String]) {
        guard let first = values.first, values.allSatisfy({ $0 == first }) else { return nil }
        self.init(first)
    }

    /// The value for a field.
    package var description: String {
        switch self {
        case .part(let first, let last, let total): "bytes \(first)-\(last)/\(total.map(String.init) ?? "*")"
        case .unsatisfied(let total): "bytes */\(total)"
        }
    }
}

/// The Accept-Ranges field: a server's support for range requests of a resource (RFC 9110 14.3).
package enum RangeSupport: Sendable, Hashable {
    /// The server supports byte ranges.
    case bytes
    /// The server supports no byte ranges: `none`, or other units only.
    case none
    /// The server does not say. Range requests are allowed.
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
