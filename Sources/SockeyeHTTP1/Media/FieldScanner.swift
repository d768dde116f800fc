/// Walks over a field value by characters.
struct FieldScanner {
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) {
        rest = text.unicodeScalars[...]
    }

    var peek: Unicode.Scalar? { rest.first }
    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    mutating func take(_ matches: (Unicode.Scalar) -> Bool) -> Substring.UnicodeScalarView {
        let end = rest.firstIndex { !matches($0) } ?? rest.endIndex
        defer { rest = rest[end...] }
        return rest[..<end]
    }

    mutating func trim(_ blank: (Unicode.Scalar) -> Bool) {
        rest = Self.trimmedEnd(rest.drop(while: blank), blank)
    }

    static func trimmedEnd(
        _ text: Substring.UnicodeScalarView, _ blank: (Unicode.Scalar) -> Bool
    ) -> Substring.UnicodeScalarView {
        guard let last = text.lastIndex(where: { !blank($0) }) else { return text[text.endIndex...] }
        return text[...last]
    }

    /// The content of a quoted string whose opening quote comes next; one that never ends, ends with the value
    /// (WHATWG Fetch, "collect an HTTP quoted string").
    mutating func quotedString() -> String {
        var output = String.UnicodeScalarView()
        _ = skip("\"")
        while let scalar = rest.popFirst(), scalar != "\"" {
            // A backslash at the very end stands for itself.
            output.append(scalar == "\\" ? rest.popFirst() ?? scalar : scalar)
        }
        return String(output)
    }

    /// As `quotedString()`, but as it stands, with quotes and escapes.
    mutating func rawQuotedString() -> Substring.UnicodeScalarView {
        let start = rest
        _ = quotedString()
        return start[..<rest.startIndex]
    }
}
