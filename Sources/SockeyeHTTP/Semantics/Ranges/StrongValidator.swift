/// A strong validator (RFC 9110 8.8.1): it identifies a representation byte for byte, so that parts fetched at
/// different times fit together.
package enum StrongValidator: Sendable, Hashable {
    case entityTag(EntityTag)
    /// The text of Last-Modified. It is sent back as it came: servers compare it letter by letter.
    case lastModified(String)

    /// The strong validator of a response, if it has one: its entity tag unless weak, else the time of its last change
    /// if a second passed between that and the response. Within one second there may have been two versions
    /// (RFC 9110 8.8.2.2).
    ///
    /// - Parameters:
    ///   - eTags: The values of ETag.
    ///   - lastModified: The values of Last-Modified.
    ///   - date: The value of Date.
    package init?(eTags: [String], lastModified: [String], date: String?) {
        if let value = eTags.first {
            // A tag that is there and unusable means that versions are told apart by it, and not by time.
            guard eTags.count == 1, let tag = EntityTag(value), !tag.isWeak else { return nil }
            self = .entityTag(tag)
            return
        }
        guard let value = lastModified.first, lastModified.count == 1, let date,
            let changed = Self.seconds(value), let sent = Self.seconds(date), changed < sent
        else { return nil }
        self = .lastModified(value)
    }

    /// Reads what ``fieldValue`` wrote.
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

    /// A date in the one form that is still written (RFC 9110 5.6.7), which is of this length; in the others the
    /// century may have to be guessed.
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
    /// What stands between the quotes.
    package let opaque: String
    /// Whether versions of this name may differ in their bytes.
    package let isWeak: Bool

    package init(opaque: String, isWeak: Bool) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// Longer ones are not read: this is kept, and sent with each part that is asked for.
    private static let maximumLength = 4096

    /// Nil for what is no entity tag: nothing is more dangerous than to guess which version something is of.
    package init?(_ value: String) {
        var scan = FieldScanner(value.utf8Span.span)
        scan.trim()
        // The W is upper-case by definition.
        let isWeak = scan.skip(UInt8(ascii: "W"))
        let quote = UInt8(ascii: "\"")
        guard !isWeak || scan.skip(UInt8(ascii: "/")), scan.skip(quote) else { return nil }
        // Bytes beyond ASCII are allowed, but do not survive being text: two tags could become one.
        let inside = scan.take { $0 > 0x20 && $0 < 0x7F && $0 != quote }
        guard scan.skip(quote), scan.isAtEnd, inside.count + 2 <= Self.maximumLength else { return nil }
        self.init(opaque: scan.string(inside), isWeak: isWeak)
    }

    /// Whether both are strong and the same (RFC 9110 8.8.3.2).
    package func stronglyMatches(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque.utf8.elementsEqual(other.opaque.utf8)
    }

    /// The tag as it goes into a field.
    package var description: String { (isWeak ? "W/" : "") + "\"\(opaque)\"" }
}
