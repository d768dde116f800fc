/// The default fields of a client: encoded once, copied into each request that does not set them itself.
package final class DefaultFields: Sendable {
    package let fields: Headers
    /// The lines for the wire; nil if a field is invalid. Each request that does not override that field then fails.
    let encoded: [UInt8]?
    /// An upper bound on the number of encoded bytes.
    let sizeBound: Int

    /// - Parameter fields: The default fields. This initializer leaves out Host, Proxy-Authorization, and fields that
    ///   concern the message framing or the connection, such as Content-Length.
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
