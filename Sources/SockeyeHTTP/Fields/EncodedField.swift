/// A field that is encoded to its line (RFC 9112 5) once and then sent with many requests.
///
/// A policy adds such a field separately from the `headers` of the request, so a look-up in `headers` does not find it.
/// This suits only Authorization and Cookie: a look-up of these names should find only the fields that the caller set.
@safe package final class EncodedField: Sendable {
    package let name: Headers.Name
    package let value: String
    /// A number chosen by the field's creator, such as the generation of a token.
    package let tag: Int?
    /// The line for the wire, including its CRLF. Allocated manually: reading an array retains it, and all threads
    /// would contend for its reference count. The memory is not written after `init`, so all threads may read it.
    private nonisolated(unsafe) let line: UnsafeRawBufferPointer
    /// The number of bytes of the name.
    let nameCount: Int

    private init(_ name: Headers.Name, _ value: String, _ line: UnsafeRawBufferPointer, tag: Int? = nil) {
        self.name = name
        self.value = value
        self.tag = tag
        nameCount = name.text.utf8.count
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: line.count, alignment: 8)
        unsafe copy.copyMemory(from: line)
        unsafe self.line = UnsafeRawBufferPointer(copy)
    }

    deinit { unsafe line.deallocate() }

    /// The number of bytes of the line.
    var lineCount: Int { unsafe line.count }

    /// Calls `body` with the line and keeps the memory alive meanwhile.
    @inline(__always)
    func withLine<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withExtendedLifetime(self) { unsafe body(line) }
    }

    /// Returns the same field with a tag.
    package func tagged(_ tag: Int) -> EncodedField { unsafe EncodedField(name, value, line, tag: tag) }

    /// Returns an Authorization field (RFC 9110 11.6.2); nil if the value is invalid.
    package static func authorization(_ value: String) -> EncodedField? { made(.authorization, value) }

    /// Returns a Cookie field (RFC 6265 4.2); nil if the value is invalid.
    package static func cookie(_ value: String) -> EncodedField? { made(.cookie, value) }

    private static func made(_ name: Headers.Name, _ value: String) -> EncodedField? {
        unsafe ([name: value] as Headers).lines?.withUnsafeBytes { unsafe EncodedField(name, value, $0) }
    }
}

extension EncodedField: CustomStringConvertible, CustomReflectable {
    /// The name only, because the value may be secret.
    package var description: String { name.description }

    /// A mirror of the description only, so that dumps do not show the value.
    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
