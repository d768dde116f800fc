/// The encoder of the chunked transfer coding (RFC 9112 7.1).
///
/// Each chunk is sent with its final CRLF: a peer that reads the CRLF before it looks at the data, as many do, must not
/// have to wait for the next chunk, which may depend on its own answer.
///
/// ```
/// prefix(4) data(4) lineEnd prefix(5) data(5) lineEnd end
/// 4\r\n     ....    \r\n    5\r\n     .....   \r\n    0\r\n\r\n
/// ```
package enum ChunkedEncoder {
    /// The size of the buffer that ``prefix(forChunkOf:into:)`` needs.
    package static let capacity = 18

    /// Writes what comes before `count` bytes of data.
    /// - Parameter buffer: At least ``capacity`` bytes.
    /// - Returns: How many were written; none for an empty chunk, which would end the body and so is left out.
    package static func prefix(forChunkOf count: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard count > 0 else { return 0 }
        var writer = unsafe ByteWriter(buffer)
        writer.put(hexadecimal: count)
        writer.put("\r\n")
        return writer.count
    }

    /// What ends a body, with `trailers`, which must not hold fields that RFC 9110 6.5.1 forbids there.
    package static func end(trailers: Headers) throws(RequestFault) -> [UInt8] {
        let fields = trailers.storage
        for index in trailers.indices {
            let entry = fields[index]
            if entry.flags.contains(.invalidName), let fault = trailers.fault(of: entry) { throw fault }
            let isForbidden = unsafe fields.withBytes(entry.name) { unsafe TrailerRules.forbids($0) }
            if isForbidden { throw .forbiddenTrailer(FieldName(fields.text(entry.name))) }
        }
        if let fault = trailers.firstFault { throw fault }
        return unsafe [UInt8](unsafeUninitializedCapacity: fields.byteCount + 5) { buffer, count in
            var writer = unsafe ByteWriter(UnsafeMutableRawBufferPointer(buffer))
            writer.put("0\r\n")
            unsafe fields.withLines { unsafe writer.put($0) }
            writer.put("\r\n")
            count = writer.count
        }
    }
}
