extension MediaType {
    /// The media type of a message with these Content-Type field values, in their order (WHATWG Fetch, 2.2.2
    /// "extract a MIME type").
    ///
    /// A message should have one (RFC 9110, 8.3). Of several, or of a list in one value, the last readable one counts;
    /// it inherits the charset of those before if type and subtype are the same. `*/*` counts as unreadable.
    public static func extract(from fieldValues: [String]) -> MediaType? {
        // What nearly every message has.
        if fieldValues.count == 1, hasNoComma(fieldValues[0]) {
            return MediaType(fieldValues[0]).flatMap { $0.isAnything ? nil : $0 }
        }
        var result: MediaType?
        var charset: String?
        for value in elements(fieldValues) {
            guard var type = MediaType(value), !type.isAnything else { continue }
            if type.essence != result?.essence { charset = nil }
            if let own = type.charset {
                charset = own
            } else if let charset {
                type.parameters.append(Parameter(name: "charset", value: charset))
            }
            result = type
        }
        return result
    }

    private static func hasNoComma(_ value: String) -> Bool {
        var scan = FieldScanner(value.utf8Span.span)
        _ = scan.take { $0 != UInt8(ascii: ",") }
        return scan.isAtEnd
    }

    private var isAnything: Bool { type == "*" && subtype == "*" }

    /// The elements of the combined list; a comma inside quotes divides nothing, even where the quotes are not closed.
    private static func elements(_ fieldValues: [String]) -> [String] {
        let list = Array(fieldValues.joined(separator: ", ").utf8)
        var scan = FieldScanner(list.span)
        var elements: [String] = []
        var start = 0
        while !scan.isAtEnd {
            _ = scan.take { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: ",") }
            let end = scan.position
            if scan.skip(UInt8(ascii: ",")) {
                elements.append(scan.string(start..<end))
                start = scan.position
            } else {
                scan.skipQuotedString()
            }
        }
        elements.append(scan.string(start..<scan.position))
        return elements
    }
}
