/// Takes a media type apart (WHATWG MIME Sniffing, 4.4).
enum MediaTypeParser {
    static func parse(_ string: String) -> MediaType? {
        var scan = FieldScanner(string.utf8Span.span)
        scan.trim(isBlank)
        let type = scan.take(ASCIISet.token.contains)
        guard !type.isEmpty, scan.skip(UInt8(ascii: "/")) else { return nil }
        let subtype = scan.trimmedEnd(scan.take { $0 != UInt8(ascii: ";") }, isBlank)
        guard !subtype.isEmpty, scan.allSatisfy(subtype, ASCIISet.token.contains) else { return nil }
        var result = MediaType(type: scan.lowercased(type), subtype: scan.lowercased(subtype), parameters: [])
        // Most types have one parameter at most, whose name need not be looked up.
        var names: Set<String> = []
        while scan.skip(UInt8(ascii: ";")) {
            guard let parameter = parameter(&scan) else { continue }
            if let first = result.parameters.first {
                if names.isEmpty { names.insert(first.name) }
                guard names.insert(parameter.name).inserted else { continue }
            }
            result.parameters.append(parameter)
        }
        return result
    }

    /// One parameter, or nil if it does not count; the scan then stands at a semicolon or at the end.
    private static func parameter(_ scan: inout FieldScanner) -> MediaType.Parameter? {
        _ = scan.take(isBlank)
        let name = scan.take { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "=") }
        guard scan.skip(UInt8(ascii: "=")) else { return nil }
        let value: String
        if scan.peek == UInt8(ascii: "\"") {
            value = scan.quotedString()
            _ = scan.take { $0 != UInt8(ascii: ";") }
        } else {
            let range = scan.trimmedEnd(scan.take { $0 != UInt8(ascii: ";") }, isBlank)
            guard !range.isEmpty else { return nil }
            value = scan.string(range)
        }
        guard !name.isEmpty, scan.allSatisfy(name, ASCIISet.token.contains), mayBeQuoted(value) else { return nil }
        return MediaType.Parameter(name: scan.lowercased(name), value: value)
    }

    /// Whether it is one of the standard's "HTTP whitespace".
    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Whether a quoted string may hold the text; what is above U+00FF was no byte of a field.
    private static func mayBeQuoted(_ text: String) -> Bool {
        var scan = FieldScanner(text.utf8Span.span)
        _ = scan.take { $0 == 0x09 || (0x20...0x7E).contains($0) }
        if scan.isAtEnd { return true }
        return text.unicodeScalars.allSatisfy {
            $0 == "\t" || ("\u{20}"..."\u{7E}").contains($0) || ("\u{80}"..."\u{FF}").contains($0)
        }
    }
}

extension ASCIISet {
    /// `tchar` of RFC 9110, 5.6.2.
    static let token = letters.union(digits).union(ASCIISet("!#$%&'*+-.^_`|~"))
}
