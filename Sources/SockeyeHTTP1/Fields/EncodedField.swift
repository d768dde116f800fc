/// A field that was checked and written out as its line (RFC 9112 5) once, since it goes with many requests.
///
/// Only for fields that nobody looks for on the way to the wire, hence not of any name.
package final class EncodedField: Sendable {
    package let name: FieldName
    package let value: String
    /// What whoever made it wants to know again of a request that has it.
    package let note: (any AnyObject & Sendable)?
    /// The line as it goes on the wire, CRLF included.
    let encoded: [UInt8]

    private init?(_ name: FieldName, _ value: String) {
        guard let encoded = ([name: value] as Headers).lines else { return nil }
        self.name = name
        self.value = value
        self.encoded = encoded
        note = nil
    }

    private init(_ field: EncodedField, note: any AnyObject & Sendable) {
        name = field.name
        value = field.value
        encoded = field.encoded
        self.note = note
    }

    /// The same field with a note.
    package func noting(_ note: any AnyObject & Sendable) -> EncodedField { EncodedField(self, note: note) }

    /// An Authorization field (RFC 9110 11.6.2); nil where its value would be refused.
    package static func authorization(_ value: String) -> EncodedField? { EncodedField(.authorization, value) }

    /// A Cookie field (RFC 6265 4.2); nil where its value would be refused.
    package static func cookie(_ value: String) -> EncodedField? { EncodedField(.cookie, value) }
}

extension EncodedField: CustomStringConvertible, CustomReflectable {
    /// The name only: the value may be secret.
    package var description: String { name.description }

    /// The description alone, so that dumps do not show the value either.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
