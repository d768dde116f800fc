/// The trailer section of a chunked body (RFC 9112 7.1.2), collected and validated line by line.
struct TrailerSection: Sendable {
    private var bytes: [UInt8] = []
    /// The offset of the first byte of the incomplete line.
    private var lineStart = 0
    private var count = 0

    /// Appends bytes up to the end of the section.
    /// - Returns: The index after the final empty line; nil if all bytes were taken and more are needed.
    mutating func append(
        _ input: UnsafeRawBufferPointer,
        from start: Int,
        limits: HTTP1Limits
    ) throws(PeerFault) -> Int? {
        var index = start
        while index < input.count {
            let byte = unsafe input[index]
            index += 1
            guard bytes.count < limits.trailerBytes else { throw .trailersTooLarge(limit: limits.trailerBytes) }
            bytes.append(byte)
            guard byte == ByteClass.lineFeed else { continue }
            if try endLine(limits: limits) { return index }
        }
        return nil
    }

    /// Checks the line that ends with the LF just appended. Returns true for the empty line that ends the section.
    private mutating func endLine(limits: HTTP1Limits) throws(PeerFault) -> Bool {
        let end = bytes.count - 2
        guard end >= lineStart, bytes[end] == ByteClass.carriageReturn else { throw .bareLF }
        if end == lineStart { return true }
        let start = lineStart
        try unsafe bytes.span.withUnsafeBytes { bytes throws(PeerFault) in
            guard let base = bytes.baseAddress else { return }
            _ = try unsafe FieldLine.parse(base, start: start, end: end)
        }
        count += 1
        guard count <= limits.trailerCount else { throw .tooManyTrailers(limit: limits.trailerCount) }
        lineStart = bytes.count
        return false
    }

    /// Returns the fields: all of them, or only those allowed in a trailer section.
    func makeFields(keepingForbidden: Bool) -> Headers {
        var fields = Headers()
        guard count > 0 else { return fields }
        unsafe bytes.withUnsafeBytes { bytes in
            var lines = unsafe FieldLines(bytes, from: 0)
            while let line = lines.next() {
                let name = unsafe UnsafeRawBufferPointer(rebasing: bytes[line.nameStart..<line.nameEnd])
                guard unsafe keepingForbidden || !TrailerRules.forbids(name) else { continue }
                let value = unsafe UnsafeRawBufferPointer(rebasing: bytes[line.valueStart..<line.valueEnd])
                unsafe fields.append(name, received: value, isASCII: false)
            }
        }
        return fields.blankingControls()
    }
}

/// The fields that are forbidden in both sent and received trailer sections (RFC 9110 6.5.1).
///
/// A trailer arrives after the recipient has acted on the head. A trailer that concerns framing, routing,
/// authentication, state or the interpretation of the content could only mislead.
enum TrailerRules {
    /// True if the field is forbidden. `name` must be a token.
    static func forbids(_ name: UnsafeRawBufferPointer) -> Bool {
        guard let base = name.baseAddress else { return true }
        for forbidden in list where unsafe ByteScan.equals(base, count: name.count, forbidden) { return true }
        return false
    }

    /// Searched linearly, since trailers are rare.
    private static let list: [StaticString] = [
        // Framing and routing.
        "transfer-encoding", "content-length", "host", "trailer", "te", "connection", "keep-alive", "upgrade",
        "proxy-connection", "max-forwards",
        // Authentication and state.
        "authorization", "proxy-authorization", "www-authenticate", "proxy-authenticate", "authentication-info",
        "proxy-authentication-info", "cookie", "set-cookie",
        // Interpretation of the content. Digests are allowed: the sender may know them only at the end.
        "content-encoding", "content-type", "content-range", "content-language", "content-location",
        "content-disposition",
        // Control data of requests and responses.
        "cache-control", "expect", "range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
        "if-range", "age", "date", "expires", "location", "retry-after", "vary", "pragma",
    ]
}
