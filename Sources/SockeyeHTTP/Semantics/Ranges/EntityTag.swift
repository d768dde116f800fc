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
        var rest = value[...].utf8.withoutBlanks
        // The W is upper-case by definition.
        let isWeak = rest.starts(with: "W/".utf8)
        if isWeak { rest = rest.dropFirst(2) }
        let quote = UInt8(ascii: "\"")
        guard rest.count >= 2, rest.count <= Self.maximumLength, rest.first == quote, rest.last == quote else {
            return nil
        }
        let inside = rest.dropFirst().dropLast()
        // Bytes beyond ASCII are allowed, but do not survive being text: two tags could become one.
        guard inside.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != quote }) else { return nil }
        self.init(opaque: String(Substring(inside)), isWeak: isWeak)
    }

    /// Whether both are strong and the same (RFC 9110 8.8.3.2).
    package func stronglyMatches(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque.utf8.elementsEqual(other.opaque.utf8)
    }

    /// The tag as it goes into a field.
    package var description: String { (isWeak ? "W/" : "") + "\"\(opaque)\"" }
}
