/// A strong validator (RFC 9110 8.8.1). It identifies a representation byte for byte, so that parts fetched at
/// different times fit together.
package enum StrongValidator: Sendable, Hashable {
    case entityTag(EntityTag)
    /// The text of Last-Modified. It is sent back unchanged, because servers compare it byte by byte.
    case lastModified(String)

    /// The strong validator of a response; nil if it has none. If there is an ETag field, only its entity tag counts,
    /// and a weak, malformed or repeated tag gives nil. Without an ETag field, Last-Modified counts if it is at least a
    /// second before Date (RFC 9110 8.8.2.2).
    ///
    /// - Parameters:
    ///   - eTags: The values of ETag.
    ///   - lastModified: The values of Last-Modified.
    ///   - date: The value of Date; nil if the response has no such field.
    package init?(eTags: [String], lastModified: [String], date: String?) {
        if let value = eTags.first {
            // A tag that is present but unusable means that the server tells versions apart by tags, not by time.
            guard eTags.count == 1, let tag = EntityTag(value), !tag.isWeak else { return nil }
            self = .entityTag(tag)
            return
        }
        guard let value = lastModified.first, lastModified.count == 1, let date,
            let changed = Self.seconds(value), let sent = Self.seconds(date), changed < sent
        else { return nil }
        self = .lastModified(value)
    }

    /// Parses the form that ``fieldValue`` writes; nil for anything else, such as a weak tag.
    package init?(fieldValue: String) {
        if let tag = EntityTag(fieldValue) {
            guard !tag.isWeak else { return nil }
            self = .entityTag(tag)
        } else if Self.seconds(fieldValue) != nil {
            self = .lastModified(fieldValue)
        } else {
            return nil
        }
    }

    /// Parses an IMF-fixdate (RFC 9110 5.6.7), the only date form with 29 bytes. The obsolete forms are refused. One
    /// of them has a two-digit year, so the century may be ambiguous.
    private static func seconds(_ text: String) -> Int64? {
        text.utf8.count == 29 ? HTTPDate(text, now: 0)?.secondsSinceEpoch : nil
    }

    /// The value of If-Range (RFC 9110 13.1.5).
    package var fieldValue: String {
        switch self {
        case .entityTag(let tag): tag.description
        case .lastModified(let text): text
        }
    }
}

/// An entity tag (RFC 9110 8.8.3), such as `"v1"` or `W/"v1"`.
package struct EntityTag: Sendable, Hashable, CustomStringConvertible {
    /// The text between the quotes.
    package let opaque: String
    /// True if versions with this tag may differ in their bytes.
    package let isWeak: Bool

    package init(opaque: String, isWeak: Bool) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// The maximum length in bytes, including the quotes. Tags have a limit because they are stored, and sent with each
    /// request for a part.
    private static let maximumLength = 4096

    /// Parses an entity tag, ignoring blanks around it; nil for anything else.
    package init?(_ value: String) {
        var scan = FieldScanner(value.utf8Span.span)
        scan.trim()
        // RFC 9110 requires the W in upper case.
        let isWeak = scan.skip(UInt8(ascii: "W"))
        let quote = UInt8(ascii: "\"")
        guard !isWeak || scan.skip(UInt8(ascii: "/")), scan.skip(quote) else { return nil }
        // RFC 9110 allows bytes outside ASCII. They are refused here, because the bytes of two different tags could
        // become the same text.
        let inside = scan.take { $0 > 0x20 && $0 < 0x7F && $0 != quote }
        guard scan.skip(quote), scan.isAtEnd, inside.count + 2 <= Self.maximumLength else { return nil }
        self.init(opaque: scan.string(inside), isWeak: isWeak)
    }

    /// Returns true if both tags are strong and equal (RFC 9110 8.8.3.2).
    package func stronglyMatches(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque.utf8.elementsEqual(other.opaque.utf8)
    }

    /// The tag as a field value.
    package var description: String { (isWeak ? "W/" : "") + "\"\(opaque)\"" }
}
