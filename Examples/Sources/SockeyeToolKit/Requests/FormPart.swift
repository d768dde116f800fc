/// A part of a multipart form in the syntax of curl's `--form`: `name=text`, or `name=@path`, with `;type=` and
/// `;filename=`.
package struct FormPart: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        case text(String)
        case file(String)
    }

    package let name: String
    package let value: Value
    package var type: String?
    package var fileName: String?

    package init(_ text: String) throws {
        let (name, value) = try RequestDraft.pair(text, "a part of a form")
        self.name = name
        guard value.hasPrefix("@") else {
            self.value = .text(value)
            return
        }
        let parts = value.dropFirst().split(separator: ";", omittingEmptySubsequences: false)
        self.value = .file(String(parts[0]))
        for part in parts.dropFirst() {
            if part.hasPrefix("type=") {
                type = String(part.dropFirst(5))
            } else if part.hasPrefix("filename=") {
                fileName = String(part.dropFirst(9))
            } else {
                throw UsageFault("';\(part)' is neither ;type= nor ;filename=")
            }
        }
    }
}
