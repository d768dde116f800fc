/// The bytes around the content of each part in a multipart body: delimiters and heads (RFC 2046 5.1.1).
///
/// ```
/// --boundary CRLF fields CRLF content  CRLF --boundary CRLF fields CRLF content  CRLF --boundary-- CRLF
/// └──────── opening ─────────┘         └────────── opening ───────────┘          └────── ending ──────┘
/// ```
package struct MultipartFraming: Sendable {
    package let boundary: MultipartBoundary

    package init(boundary: MultipartBoundary) {
        self.boundary = boundary
    }

    /// Appends the bytes that precede the content of a part.
    ///
    /// - Parameters:
    ///   - head: The lines of ``PartHead/encoded()``.
    ///   - isFirst: True for the first part of the body.
    ///   - bytes: The output.
    package func writeOpening(_ head: [UInt8], isFirst: Bool, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: isFirst ? "--".utf8 : "\r\n--".utf8)
        bytes.append(contentsOf: boundary.text.utf8)
        bytes.append(contentsOf: "\r\n".utf8)
        bytes.append(contentsOf: head)
        bytes.append(contentsOf: "\r\n".utf8)
    }

    /// The bytes after the last part.
    package var ending: [UInt8] { Array("\r\n--\(boundary.text)--\r\n".utf8) }

    private func openingLength(_ head: Int, isFirst: Bool) -> Int {
        (isFirst ? 0 : 2) + 2 + boundary.text.utf8.count + 2 + head + 2
    }

    /// Returns the length of a body of one or more parts. Nil if the length of a part is unknown or negative, or if the
    /// sum overflows.
    ///
    /// - Parameter parts: For each part, the lengths of ``PartHead/encoded()`` and of the content in bytes. The length
    ///   of the content is nil if unknown.
    package func length(of parts: some Sequence<(head: Int, content: Int?)>) -> Int? {
        var total = ending.count
        var isFirst = true
        for part in parts {
            guard let content = part.content, content >= 0 else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(content)
            let (next, again) = sum.addingReportingOverflow(openingLength(part.head, isFirst: isFirst))
            guard !overflow, !again else { return nil }
            total = next
            isFirst = false
        }
        return total
    }
}

/// The fields of a part to send.
package struct PartHead: Sendable {
    /// The disposition, written first; nil outside of forms.
    package var disposition: FormDisposition?
    /// The other fields, in order.
    package var headers: Headers

    package init(disposition: FormDisposition?, headers: Headers = [:]) {
        self.disposition = disposition
        self.headers = headers
    }

    /// Returns the lines for sending, without the empty line after them.
    package func encoded() throws(RequestFault) -> [UInt8] {
        var lines: [UInt8] = []
        // The disposition is not validated like other fields: the HTML standard keeps controls other than CR and LF in
        // the names of form fields and files.
        if let disposition {
            // Most heads are just this line. Without the reserved capacity, growing the array would cost more than
            // writing.
            lines.reserveCapacity(64 + (disposition.name?.utf8.count ?? 0) + (disposition.filename?.utf8.count ?? 0))
            lines.append(contentsOf: "Content-Disposition: ".utf8)
            disposition.write(to: &lines)
            lines.append(contentsOf: "\r\n".utf8)
        }
        if !headers.isEmpty { lines.append(contentsOf: try FieldSection.encode(headers)) }
        return lines
    }
}

/// Field lines outside the head of a message: those of a part of a multipart body (RFC 2046 5.1).
package enum FieldSection {
    /// Returns the lines, each with its CRLF, in the order of the fields.
    ///
    /// - Throws: The fault of the first invalid field.
    package static func encode(_ fields: Headers) throws(RequestFault) -> [UInt8] {
        guard let lines = fields.lines else { throw fields.firstFault ?? .invalidFieldName("") }
        return lines
    }

    /// Parses lines that each end in CRLF. The empty line after them is optional.
    ///
    /// - Parameter limit: The maximum number of fields.
    /// - Throws: The fault of the first malformed line, or `tooManyFields` above the limit.
    package static func decode(_ lines: [UInt8], limit: Int) throws(PeerFault) -> Headers {
        try unsafe lines.span.withUnsafeBytes { bytes throws(PeerFault) in
            var fields = Headers()
            guard let base = bytes.baseAddress else { return fields }
            var start = 0
            while start < bytes.count {
                guard let lineFeed = unsafe bytes[start...].firstIndex(of: ByteClass.lineFeed) else { throw .bareCR }
                guard lineFeed > start, unsafe bytes[lineFeed - 1] == ByteClass.carriageReturn else { throw .bareLF }
                let end = lineFeed - 1
                if end > start {
                    guard fields.count < limit else { throw .tooManyFields(limit: limit) }
                    try unsafe append(FieldLine.parse(base, start: start, end: end), in: bytes, to: &fields)
                }
                start = lineFeed + 1
            }
            return fields.blankingControls()
        }
    }

    private static func append(
        _ line: FieldLine, in bytes: UnsafeRawBufferPointer, to fields: inout Headers
    ) throws(PeerFault) {
        let name = unsafe UnsafeRawBufferPointer(rebasing: bytes[line.nameStart..<line.nameEnd])
        guard unsafe !name.isEmpty, unsafe name.allSatisfy(ByteClass.isToken) else {
            throw unsafe .badFieldName(FieldNameExcerpt(name))
        }
        let value = unsafe UnsafeRawBufferPointer(rebasing: bytes[line.valueStart..<line.valueEnd])
        unsafe fields.append(name, received: value, isASCII: false)
    }
}
