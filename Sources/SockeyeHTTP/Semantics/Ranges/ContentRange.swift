/// The value of a Content-Range field in bytes (RFC 9110 14.4): which part of a representation a 206 carries, or how long
/// one is of which no part could be given (416).
package enum ContentRange: Sendable, Hashable, CustomStringConvertible {
    /// `bytes 0-99/1000`, or `bytes 0-99/*` where the whole length is not known.
    case part(first: Int, last: Int, total: Int?)
    /// `bytes */1000`.
    case unsatisfied(total: Int)

    /// Nil for other units (but servers forget the unit of `*/1000`) and for everything that RFC 9110 14.4 calls invalid: a last position before the first one or
    /// behind the end, and numbers beyond 63 bits.
    package init?(_ value: String) {
        var rest = value[...].utf8.withoutBlanks
        if rest.first != UInt8(ascii: "*") {
            guard rest.skip("bytes"), let blank = rest.first, ByteClass.isBlank(blank) else { return nil }
            rest = rest.withoutBlanks
        }
        guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let (range, length) = (rest[..<slash], rest[rest.index(after: slash)...])
        let total = DecimalDigits.parse(length)
        let isUnknown = length.elementsEqual("*".utf8)
        guard total != nil || isUnknown else { return nil }
        if range.elementsEqual("*".utf8) {
            guard let total else { return nil }
            self = .unsatisfied(total: total)
            return
        }
        guard let dash = range.firstIndex(of: UInt8(ascii: "-")), let first = DecimalDigits.parse(range[..<dash]),
            let last = DecimalDigits.parse(range[range.index(after: dash)...]), first <= last,
            last < total ?? .max
        else { return nil }
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
