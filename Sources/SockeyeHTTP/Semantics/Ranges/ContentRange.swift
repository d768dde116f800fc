/// The value of a Content-Range field in bytes (RFC 9110 14.4): which part of a representation a 206 carries, or how long
/// one is of which no part could be given (416).
package enum ContentRange: Sendable, Hashable, CustomStringConvertible {
    /// `bytes 0-99/1000`, or `bytes 0-99/*` where the whole length is not known.
    case part(first: Int, last: Int, total: Int?)
    /// `bytes */1000`.
    case unsatisfied(total: Int)

    /// Nil for other units (but servers forget the unit of `*/1000`) and for everything that RFC 9110 14.4 calls invalid:
    /// a last position before the first one or behind the end, and numbers beyond 63 bits.
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
