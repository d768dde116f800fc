/// What a server says about parts of a resource in Accept-Ranges (RFC 9110 14.3).
package enum RangeSupport: Sendable, Hashable {
    /// It has parts in bytes.
    case bytes
    /// It has none: `none`, or other units only.
    case none
    /// It does not say. Asking is allowed all the same.
    case unknown

    package init(_ values: [String]) {
        let units = values.flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }.map { $0.withoutBlanks }.filter {
            !$0.isEmpty
        }
        if units.isEmpty {
            self = .unknown
        } else {
            let namesBytes = units.contains { unit in
                var rest = unit
                return rest.skip("bytes") && rest.isEmpty
            }
            self = namesBytes ? .bytes : .none
        }
    }
}
