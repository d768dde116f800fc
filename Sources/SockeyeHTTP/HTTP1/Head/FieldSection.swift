package import HTTPTypes

/// Field lines outside the head of a message: those of a part of a multipart body (RFC 2046 5.1).
package enum FieldSection {
    /// Writes the lines, each with its CRLF, in the order of the fields.
    ///
    /// - Throws: The fault of the first field that cannot be sent.
    package static func encode(_ fields: Headers) throws(RequestFault) -> [UInt8] {
        guard let lines = fields.lines else { throw fields.firstFault ?? .invalidFieldName("") }
        return lines
    }

    /// Reads lines that each end in CRLF. The empty line behind them may be there or not.
    ///
    /// - Parameter limit: The most fields.
    package static func decode(_ lines: [UInt8], limit: Int) throws(PeerFault) -> HTTPFields {
        try unsafe lines.span.withUnsafeBytes { bytes throws(PeerFault) in
            var fields = HTTPFields()
            guard let base = bytes.baseAddress else { return fields }
            var start = 0
            while start < bytes.count {
                guard let lineFeed = unsafe bytes[start...].firstIndex(of: ByteClass.lineFeed) else { throw .bareCR }
                guard lineFeed > start, unsafe bytes[lineFeed - 1] == ByteClass.carriageReturn else { throw .bareLF }
                let end = lineFeed - 1
                if end > start {
                    guard fields.count < limit else { throw .tooManyFields(limit: limit) }
                    unsafe fields.append(try field(FieldLine.parse(base, start: start, end: end), in: bytes))
                }
                start = lineFeed + 1
            }
            return fields
        }
    }

    private static func field(_ line: FieldLine, in bytes: UnsafeRawBufferPointer) throws(PeerFault) -> HTTPField {
        let name = unsafe String(decoding: bytes[line.nameStart..<line.nameEnd], as: UTF8.self)
        guard let name = HTTPField.Name(name) else { throw .badFieldName }
        return unsafe HTTPField(
            name: name, value: UnsafeRawBufferPointer(rebasing: bytes[line.valueStart..<line.valueEnd]))
    }
}
