/// A field encoded once as its line (RFC 9112 5), for many requests.
///
/// Only of names that nothing looks up on the way to the wire: Authorization and Cookie.
@safe package final class EncodedField: Sendable {
    package let name: Headers.Name
    package let value: String
    /// A tag of the maker's, such as the generation of a token, to be found again in the request that has the field.
    package let note: Int?
    /// The line as it goes on the wire, CRLF included. Manually allocated, since reading an array retains it, and all
    /// threads would contend for its reference count. Immutable once the object is shared.
    private nonisolated(unsafe) let line: UnsafeRawBufferPointer
    /// The bytes of the name.
    let nameCount: Int

    private init(_ name: Headers.Name, _ value: String, _ line: UnsafeRawBufferPointer, note: Int? = nil) {
        self.name = name
        self.value = value
        self.note = note
        nameCount = name.text.utf8.count
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: line.count, alignment: 8)
        unsafe copy.copyMemory(from: line)
        unsafe self.line = UnsafeRawBufferPointer(copy)
    }

    deinit { unsafe line.deallocate() }

    /// The bytes of the line.
    var lineCount: Int { unsafe line.count }

    /// The line, for as long as `body` runs.
    @inline(__always)
    func withLine<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withExtendedLifetime(self) { unsafe body(line) }
    }

    /// The same field with a note.
    package func noting(_ note: Int) -> EncodedField { unsafe EncodedField(name, value, line, note: note) }

    /// An Authorization field (RFC 9110 11.6.2); nil where its value would be refused.
    package static func authorization(_ value: String) -> EncodedField? { made(.authorization, value) }

    /// A Cookie field (RFC 6265 4.2); nil where its value would be refused.
    package static func cookie(_ value: String) -> EncodedField? { made(.cookie, value) }

    private static func made(_ name: Headers.Name, _ value: String) -> EncodedField? {
        unsafe ([name: value] as Headers).lines?.withUnsafeBytes { unsafe EncodedField(name, value, $0) }
    }
}

extension EncodedField: CustomStringConvertible, CustomReflectable {
    /// The name only: the value may be secret.
    package var description: String { name.description }

    /// The description alone, so that dumps do not show the value either.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// The default fields of a client, sent with each request that has none of the name: encoded once, copied each time.
package final class DefaultFields: Sendable {
    /// The fields, in order.
    package let fields: Headers
    /// Their lines as they go on the wire; nil when one of them is refused, which each request then is told.
    let encoded: [UInt8]?
    /// Enough bytes for all of them.
    let sizeBound: Int

    /// - Parameter fields: Those that belong to the message framing are left out, as in every request.
    package init(_ fields: Headers) {
        var own = Headers()
        for index in fields.indices {
            let entry = fields.storage[index]
            if entry.flags.isSubset(of: .invalid) { own.storage.append(entry, of: fields.storage) }
        }
        self.fields = own
        sizeBound = own.byteCount
        encoded = own.lines
    }
}
