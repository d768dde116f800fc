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
            if entry.marks.isSubset(of: .invalid) { own.storage.append(entry, of: fields.storage) }
        }
        self.fields = own
        sizeBound = own.byteCount
        encoded = own.lines
    }
}
