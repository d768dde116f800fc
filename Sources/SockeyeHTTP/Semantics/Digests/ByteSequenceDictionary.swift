/// The members of a dictionary of structured fields (RFC 9651 3.2) that are byte sequences.
///
/// Other items are read, since a field is valid as a whole or not at all, and left out. Inner lists, decimals out of range
/// and the like are not told from errors: fields of digests have none.
package enum ByteSequenceDictionary {
    /// Nil for a field that is malformed. Of several members of one name the last counts.
    package static func parse(_ values: [String]) -> [String: [UInt8]]? {
        let text = values.joined(separator: ", ")
        var scan = StructuredScanner(text.utf8Span.span)
        var members: [String: [UInt8]] = [:]
        while !scan.isAtEnd {
            guard let key = scan.key() else { return nil }
            // A key alone is the boolean true.
            members[key] = nil
            if scan.skip(UInt8(ascii: "=")) {
                guard let item = scan.item() else { return nil }
                if case .bytes(let bytes) = item { members[key] = bytes }
            }
            guard scan.skipParameters() else { return nil }
            scan.skipBlanks()
            if scan.isAtEnd { return members }
            guard scan.skip(UInt8(ascii: ",")) else { return nil }
            scan.skipBlanks()
            // A comma at the end.
            if scan.isAtEnd { return nil }
        }
        return members
    }
}
