/// The Content-Disposition of a form part (RFC 7578 4.2), written with the escapes of the HTML standard.
///
/// First, each line end in the field name becomes CRLF. Then CR, LF and the double quote are percent-encoded in the
/// field name and the file name. Everything else is written unchanged in UTF-8. No name can therefore end its line or
/// its quotes (HTML 4.10.21.8, "multipart/form-data encoding algorithm").
package struct FormDisposition: Sendable, Hashable {
    /// The name of the form field; nil if a received part has none.
    package var name: String?
    /// The file name; nil if the part is not a file.
    package var filename: String?

    package init(name: String?, filename: String? = nil) {
        self.name = name
        self.filename = filename
    }

    // MARK: Writing

    /// The value of the Content-Disposition field.
    package var value: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    package func write(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: "form-data".utf8)
        if let name {
            bytes.append(contentsOf: "; name=\"".utf8)
            Self.write(LineEnds.normalized(name), to: &bytes)
            bytes.append(0x22)
        }
        if let filename {
            bytes.append(contentsOf: "; filename=\"".utf8)
            Self.write(filename, to: &bytes)
            bytes.append(0x22)
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        PercentEncoding.append(text.utf8, encoding: escaped, keepsUTF8: true, to: &bytes)
    }

    /// The three characters that HTML escapes. `%` is not escaped.
    private static let escaped = ASCIISet("\r\n\"")

    // MARK: Reading

    /// Parses the value of a Content-Disposition field; nil if the disposition type is not `form-data`. The first of
    /// several parameters with the same name counts.
    package init?(parsing value: String) {
        let (semicolon, equals) = (UInt8(ascii: ";"), UInt8(ascii: "="))
        var scan = FieldScanner(value.utf8Span.span, [.blanksAroundEquals, .unclosedQuotes, .bareBackslashes])
        scan.trim()
        let type = scan.trimmedEnd(scan.take { $0 != semicolon && $0 != equals })
        guard scan.equals(type, "form-data") else { return nil }
        _ = scan.take { $0 != semicolon }
        while scan.skip(semicolon) {
            guard let parameter = scan.parameter() else { continue }
            if scan.equals(parameter.name, "name"), name == nil {
                name = Self.unescaped(parameter.value)
            } else if scan.equals(parameter.name, "filename"), filename == nil {
                filename = Self.unescaped(parameter.value)
            }
        }
    }

    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        return String(decoding: PercentEncoding.decode(text.utf8, where: escaped.contains), as: UTF8.self)
    }
}

/// Line ends in forms, by the HTML standard (4.10.21.8, "multipart/form-data encoding algorithm").
package enum LineEnds {
    /// Returns the text with every CR, LF and CRLF as CRLF.
    package static func normalized(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x0D || $0 == 0x0A }) else { return text }
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count + 16)
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if byte == 0x0A, previous == 0x0D {
                previous = byte
                continue
            }
            output.append(contentsOf: byte == 0x0D || byte == 0x0A ? [0x0D, 0x0A] : [byte])
            previous = byte
        }
        return String(decoding: output, as: UTF8.self)
    }
}
