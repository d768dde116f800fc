/// A field that was added to a request on its way, and those that were added before it.
///
/// A list that shares its tail: adding one copies neither the request nor its fields, and whoever holds the request as it
/// was holds the list without it.
package final class AddedField: Sendable {
    package let field: EncodedField
    package let previous: AddedField?
    /// How far on its way the request was.
    package let position: Int
    /// What whoever added it wants to find there again.
    package let note: (any AnyObject & Sendable)?
    /// The bytes of the lines of all of them.
    package let byteCount: Int

    package init(
        _ field: EncodedField, to previous: AddedField?, at position: Int, note: (any AnyObject & Sendable)? = nil
    ) {
        self.field = field
        self.previous = previous
        self.position = position
        self.note = note
        byteCount = field.encoded.count + (previous?.byteCount ?? 0)
    }
}

extension Headers {
    /// These fields, and behind them those that were added.
    package func adding(_ added: AddedField) -> Headers {
        var headers = added.previous.map { adding($0) } ?? self
        headers.append(added.field.name, added.field.value)
        return headers
    }
}
