/// A field that was checked and written out as its line (RFC 9112 5) once, since it goes with many requests.
///
/// Only for fields that nobody looks for on the way to the wire, hence not of any name.
package final class EncodedField: Sendable {
    package let name: FieldName
    package let value: String
    /// The line as it goes on the wire, CRLF included.
    let encoded: [UInt8]

    private init?(_ name: FieldName, _ value: String) {
        guard let encoded = DefaultFields.encode([name: value]) else { return nil }
        self.name = name
        self.value = value
        self.encoded = encoded
    }

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
