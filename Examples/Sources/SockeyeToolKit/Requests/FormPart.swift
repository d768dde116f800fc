/// A part of a multipart form, in the syntax of curl's `--form`: `name=text`, `name=@path` for a file, or `name=<path>`
/// for the text in a file, with `;type=` and `;filename=`.
package struct FormPart: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        case text(String)
        /// A file; `-` is standard input.
        case file(String)
        /// The text in a file, as a field without a file name; `-` is standard input.
        case textFile(String)
    }

    package let name: String
    package let value: Value
    package private(set) var type: String?
    package private(set) var fileName: String?

    package init(_ text: String) throws {
        let (name, value) = try RequestDraft.pair(
            text, "a part of a form (a form that is not multipart: --data or --data-urlencode)")
        self.name = name
        let isFile = value.hasPrefix("@")
        guard isFile || value.hasPrefix("<") else {
            let (content, type) = Self.typed(value)
            self.value = .text(content)
            self.type = type
            return
        }
        let parts = value.dropFirst().split(separator: ";", omittingEmptySubsequences: false)
        let path = String(parts[0])
        guard !path.contains(",") else {
            throw UsageFault("'\(path)' has a comma: each file is a part of its own, as in -F \(name)=@a -F \(name)=@b")
        }
        self.value = isFile ? .file(path) : .textFile(path)
        for part in parts.dropFirst() {
            let part = part.drop { $0 == " " }
            if part.hasPrefix("type=") {
                type = String(part.dropFirst(5))
            } else if part.hasPrefix("filename="), isFile {
                fileName = String(part.dropFirst(9))
            } else {
                throw UsageFault("';\(part)' is neither ;type= nor ;filename=")
            }
        }
    }

    /// A field with text that has no syntax: curl's `--form-string`.
    package init(literal text: String) throws {
        let (name, value) = try RequestDraft.pair(text, "a part of a form")
        self.name = name
        self.value = .text(value)
    }

    /// Separates `;type=` at the end of a text. Semicolons with another meaning stay in the text.
    private static func typed(_ text: String) -> (content: String, type: String?) {
        guard let range = text.ranges(of: ";type=").last, !text[range.upperBound...].contains(";") else {
            return (text, nil)
        }
        return (String(text[..<range.lowerBound]), String(text[range.upperBound...]))
    }
}
