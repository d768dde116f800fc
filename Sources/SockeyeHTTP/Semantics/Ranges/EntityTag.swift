/// The name of one version of a representation (RFC 9110 8.8.3), such as `"v1"` or `W/"v1"`.
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
