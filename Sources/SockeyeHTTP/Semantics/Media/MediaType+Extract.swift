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
        let list = Array(fieldValues.joined(separator: ", ").utf8)
        // A comma inside quotes divides nothing, even where the quotes are not closed.
        var scan = FieldScanner(list.span)
        while let member = scan.quotedMember() {
            guard var type = MediaType(scan.string(member)), !type.isAnything else { continue }
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
        !value.utf8.contains(UInt8(ascii: ","))
    }

    private var isAnything: Bool { type == "*" && subtype == "*" }
}
