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
        for (name, value) in fields where FieldOwnership.of(name) == .caller { own.append(name, value) }
        self.fields = own
        sizeBound = own.byteCount
        encoded = Self.encode(own)
    }

    /// The lines of these fields; nil where one of them is refused.
    static func encode(_ fields: Headers) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: fields.byteCount + 1)
        let count: Int? = bytes.withUnsafeMutableBytes { buffer in
            var writer = ByteWriter(buffer)
            for field in fields.fields where writer.put(field: field) != nil { return nil }
            return writer.count
        }
        guard let count else { return nil }
        bytes.removeLast(bytes.count - count)
        return bytes
    }
}
