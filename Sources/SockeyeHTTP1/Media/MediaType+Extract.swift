extension MediaType {
    /// The media type of a message with these Content-Type field values, in their order (WHATWG Fetch, 2.2.2
    /// "extract a MIME type").
    ///
    /// A message should have one (RFC 9110, 8.3). Of several, or of a list in one value, the last readable one counts;
    /// it inherits the charset of those before if type and subtype are the same. `*/*` counts as unreadable.
    public static func extract(from fieldValues: [String]) -> MediaType? {
        var result: MediaType?
        var charset: String?
        for value in elements(fieldValues) {
            guard var type = MediaType(value), type.type != "*" || type.subtype != "*" else { continue }
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

    /// The elements of the combined list; a comma inside quotes divides nothing, even where the quotes are not closed.
    private static func elements(_ fieldValues: [String]) -> [String] {
        var scan = FieldScanner(fieldValues.joined(separator: ", "))
        var elements: [String] = []
        var element = String.UnicodeScalarView()
        while !scan.isAtEnd {
            element.append(contentsOf: scan.take { $0 != "\"" && $0 != "," })
            if scan.peek == "\"" {
                element.append(contentsOf: scan.rawQuotedString())
            } else if scan.skip(",") {
                elements.append(String(element))
                element = String.UnicodeScalarView()
            }
        }
        elements.append(String(element))
        return elements
    }
}
