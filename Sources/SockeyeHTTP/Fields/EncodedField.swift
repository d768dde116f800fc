/// A field that was checked and written out as its line (RFC 9112 5) once, since it goes with many requests.
///
/// Only for fields that nobody looks for on the way to the wire, hence not of any name.
@safe package final class EncodedField: Sendable {
    package let name: FieldName
    package let value: String
    /// What whoever made it wants to know again of a request that has it.
    package let note: Int?
    /// The line as it goes on the wire, CRLF included. In memory of its own, since an array is retained when it is looked
    /// at: all threads at once would count its references. Written before anybody else has it, and never again.
    private nonisolated(unsafe) let line: UnsafeRawBufferPointer
    /// The bytes of the name.
    let nameCount: Int

    private init(_ name: FieldName, _ value: String, _ line: UnsafeRawBufferPointer, note: Int? = nil) {
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

    private static func made(_ name: FieldName, _ value: String) -> EncodedField? {
        unsafe ([name: value] as Headers).lines?.withUnsafeBytes { unsafe EncodedField(name, value, $0) }
    }
}

extension EncodedField: CustomStringConvertible, CustomReflectable {
    /// The name only: the value may be secret.
    package var description: String { name.description }

    /// The description alone, so that dumps do not show the value either.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

/// Fields that go with every request of a client unless it has its own: checked and written out once, copied each time.
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
