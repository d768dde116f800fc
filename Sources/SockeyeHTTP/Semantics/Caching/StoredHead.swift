package import HTTPTypes

/// The head of an answer from the store: the fields of the stored response, Age (RFC 9111 5.1), and, for a part of it, what that
/// is a part of. Made into fields when somebody asks for all of them.
package struct StoredHead: Sendable {
    private let stored: StoredResponse
    private let age: Int64
    private let part: Range<Int>?

    /// - Parameter part: The bytes of the content that are served, where that is not all of it.
    package init(_ stored: StoredResponse, age: Int64, part: Range<Int>?) {
        self.stored = stored
        self.age = age
        self.part = part
    }

    package var status: Int { part == nil ? stored.response.status : 206 }

    package var reason: String { part == nil ? stored.response.reason : "Partial Content" }

    package var isDecoded: Bool { stored.response.isDecoded }

    package func makeFields() -> HTTPFields {
        var fields = stored.response.headers
        fields[.age] = String(age)
        if let part {
            fields[.contentRange] = contentRange(part)
            fields[.contentLength] = String(part.count)
        }
        return fields
    }

    /// Every value of a field.
    package func values(of name: FieldName) -> [String] {
        if name == .age { return [String(age)] }
        if let part {
            if name == .contentRange { return [contentRange(part)] }
            if name == .contentLength { return [String(part.count)] }
        }
        guard let name = HTTPField.Name(name.text) else { return [] }
        return stored.response.headers[values: name]
    }

    private func contentRange(_ part: Range<Int>) -> String {
        "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(stored.response.bodyLength)"
    }
}
