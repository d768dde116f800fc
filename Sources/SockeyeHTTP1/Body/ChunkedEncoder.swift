/// Writes the framing around the chunks of a request body (RFC 9112 7.1).
///
/// The CRLF that ends a chunk is written together with the size line of the next one, so that a chunk costs two pieces
/// on the wire, not three.
///
/// ```
/// prefix(4) data(4) prefix(5) data(5) end
/// 4\r\n     ....    \r\n5\r\n .....   \r\n0\r\n\r\n
/// ```
package struct ChunkedEncoder: Sendable {
    /// The size of the buffer that ``prefix(forChunkOf:into:)`` and ``end(into:)`` need.
    package static let capacity = 20

    private var isInChunk = false

    package init() {}

    /// Writes what comes before `count` bytes of data.
    /// - Parameter buffer: At least ``capacity`` bytes.
    /// - Returns: How many were written; none for an empty chunk, which would end the body and so is left out.
    package mutating func prefix(forChunkOf count: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard count > 0 else { return 0 }
        var writer = ByteWriter(buffer)
        if isInChunk { writer.put("\r\n") }
        isInChunk = true
        writer.put(hexadecimal: count)
        writer.put("\r\n")
        return writer.count
    }

    /// Writes what ends a body without trailers.
    /// - Parameter buffer: At least ``capacity`` bytes.
    package mutating func end(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var writer = ByteWriter(buffer)
        writer.put(isInChunk ? "\r\n0\r\n\r\n" : "0\r\n\r\n")
        isInChunk = false
        return writer.count
    }

    /// What ends a body with `trailers`, which must not hold fields that RFC 9110 6.5.1 forbids there.
    package mutating func end(trailers: Headers) throws(RequestFault) -> [UInt8] {
        var size = Self.capacity
        for field in trailers.fields { size += field.name.text.utf8.count + field.value.utf8.count + 4 }
        for field in trailers.fields {
            guard field.name.isValid else { throw .invalidFieldName(field.name) }
            let forbidden = ByteScan.withBytes(of: field.name.text.utf8) { TrailerRules.forbids($0) }
            if forbidden { throw .forbiddenTrailer(field.name) }
        }
        var fault: RequestFault?
        let leading = isInChunk
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            var writer = ByteWriter(UnsafeMutableRawBufferPointer(buffer))
            writer.put(leading ? "\r\n0\r\n" : "0\r\n")
            for field in trailers.fields where fault == nil {
                fault = writer.put(field: field)
            }
            writer.put("\r\n")
            count = writer.count
        }
        if let fault { throw fault }
        isInChunk = false
        return bytes
    }
}
