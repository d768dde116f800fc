/// Fields that were added to a request on its way, without making another request of it.
package struct AddedFields: Sendable {
    private struct Entry: Sendable {
        let field: EncodedField
        let position: Int
    }

    // Two need no memory of their own: few clients have policies that add more.
    private var first: EncodedField?
    private var second: EncodedField?
    private var others: [Entry]?
    /// How far on its way the request was when each of the two came.
    private var firstPosition: Int32 = 0
    private var secondPosition: Int32 = 0

    package init() {}

    package var isEmpty: Bool { first == nil }

    /// Adds one behind the others.
    package mutating func append(_ field: EncodedField, at position: Int) {
        if first == nil {
            (first, firstPosition) = (field, Int32(clamping: position))
        } else if second == nil {
            (second, secondPosition) = (field, Int32(clamping: position))
        } else {
            others = (others ?? []) + [Entry(field: field, position: position)]
        }
    }

    /// Those that were added up to a position, in order.
    package func fields(upTo position: Int) -> [EncodedField] {
        var fields: [EncodedField] = []
        if let first, firstPosition <= position { fields.append(first) }
        if let second, secondPosition <= position { fields.append(second) }
        return fields + (others ?? []).filter { $0.position <= position }.map(\.field)
    }

    /// The bytes of all their lines.
    package var byteCount: Int {
        guard let first else { return 0 }
        guard let second else { return first.encoded.count }
        return first.encoded.count + second.encoded.count + (others ?? []).reduce(0) { $0 + $1.field.encoded.count }
    }

    /// Writes the lines, which were checked when they were made.
    func put(to writer: inout ByteWriter) {
        guard let first else { return }
        writer.put(first)
        guard let second else { return }
        writer.put(second)
        for entry in others ?? [] { writer.put(entry.field) }
    }
}

extension ByteWriter {
    fileprivate mutating func put(_ field: EncodedField) { field.encoded.withUnsafeBytes { put($0) } }
}
