/// Takes a media type apart (WHATWG MIME Sniffing, 4.4).
enum MediaTypeParser {
    static func parse(_ string: String) -> MediaType? {
        var scan = FieldScanner(string)
        scan.trim(\.isHTTPWhitespace)
        let type = String(scan.take { $0 != "/" })
        guard isToken(type), scan.skip("/") else { return nil }
        let subtype = String(FieldScanner.trimmedEnd(scan.take { $0 != ";" }, \.isHTTPWhitespace))
        guard isToken(subtype) else { return nil }
        var result = MediaType(type: type.lowercased(), subtype: subtype.lowercased(), parameters: [])
        var names: Set<String> = []
        while scan.skip(";") {
            guard let (name, value) = parameter(&scan), names.insert(name).inserted else { continue }
            result.parameters.append(MediaType.Parameter(name: name, value: value))
        }
        return result
    }

    /// One parameter, or nil if it does not count; the scan then stands at a semicolon or at the end.
    private static func parameter(_ scan: inout FieldScanner) -> (name: String, value: String)? {
        _ = scan.take(\.isHTTPWhitespace)
        let name = String(scan.take { $0 != ";" && $0 != "=" }).lowercased()
        guard scan.skip("=") else { return nil }
        let value: String
        if scan.peek == "\"" {
            value = scan.quotedString()
            _ = scan.take { $0 != ";" }
        } else {
            value = String(FieldScanner.trimmedEnd(scan.take { $0 != ";" }, \.isHTTPWhitespace))
            guard !value.isEmpty else { return nil }
        }
        return isToken(name) && value.unicodeScalars.allSatisfy(\.mayBeQuoted) ? (name, value) : nil
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(ASCIISet.token.contains)
    }
}

extension ASCIISet {
    /// `tchar` of RFC 9110, 5.6.2.
    static let token = letters.union(digits).union(ASCIISet("!#$%&'*+-.^_`|~"))
}

extension Unicode.Scalar {
    fileprivate var isHTTPWhitespace: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }

    /// What a quoted string may hold; what is above U+00FF was no byte of a field.
    fileprivate var mayBeQuoted: Bool {
        self == "\t" || ("\u{20}"..."\u{7E}").contains(self) || ("\u{80}"..."\u{FF}").contains(self)
    }
}
