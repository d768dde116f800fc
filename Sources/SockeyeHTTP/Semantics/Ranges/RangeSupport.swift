/// What a server says about parts of a resource in Accept-Ranges (RFC 9110 14.3).
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
