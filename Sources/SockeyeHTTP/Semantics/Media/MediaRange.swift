/// A pattern for media types, `text/html`, `text/*`, `*/*` or `application/*+json`, as far as it is compared: without
/// parameters, and without blanks around its parts.
struct MediaRange: ~Escapable {
    private let text: Span<UInt8>
    private let type: Range<Int>
    /// Nil if the pattern is none, which then contains nothing.
    private let subtype: Range<Int>?

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) {
        self.text = text
        var scan = FieldScanner(text)
        let isInside: (UInt8) -> Bool = { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ";") }
        scan.skipBlanks()
        type = scan.trimmedEnd(scan.take(isInside))
        guard scan.skip(UInt8(ascii: "/")) else {
            subtype = nil
            return
        }
        scan.skipBlanks()
        subtype = scan.trimmedEnd(scan.take { $0 != UInt8(ascii: ";") })
    }

    func contains(_ mediaType: InternetMediaType) -> Bool {
        guard let subtype, isWildcard(type) || matches(mediaType.type.utf8Span.span, type) else { return false }
        if subtype.count >= 2, text[subtype.lowerBound] == UInt8(ascii: "*"),
            text[subtype.lowerBound + 1] == UInt8(ascii: "+")
        {
            let own = mediaType.subtype.utf8Span.span
            guard own.count >= subtype.count else { return false }
            return matches(own.extracting(last: subtype.count - 1), subtype.dropFirst())
        }
        return isWildcard(subtype) || matches(mediaType.subtype.utf8Span.span, subtype)
    }

    private func isWildcard(_ range: Range<Int>) -> Bool {
        range.count == 1 && text[range.lowerBound] == UInt8(ascii: "*")
    }

    /// Whether the letters are the same, those of `lowercased` being in lower case.
    private func matches(_ lowercased: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard lowercased.count == range.count else { return false }
        for place in lowercased.indices where lowercased[place] != ByteClass.lowercased(text[range.lowerBound + place])
        {
            return false
        }
        return true
    }
}
