/// Takes a media type apart (WHATWG MIME Sniffing, 4.4).
enum MediaTypeParser {
    static func parse(_ string: String) -> MediaType? {
        var scan = FieldScanner(string.utf8Span.span, [.lineEndsAsBlanks, .unclosedQuotes])
        scan.trim()
        guard let type = scan.token(), scan.skip(UInt8(ascii: "/")) else { return nil }
        let subtype = scan.trimmedEnd(scan.take { $0 != UInt8(ascii: ";") })
        guard !subtype.isEmpty, scan.allSatisfy(subtype, ByteClass.isToken) else { return nil }
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

    /// One parameter, or nil if it does not count.
    private static func parameter(_ scan: inout FieldScanner) -> MediaType.Parameter? {
        guard let parameter = scan.parameter(), !parameter.name.isEmpty,
            scan.allSatisfy(parameter.name, ByteClass.isToken), parameter.isQuoted || !parameter.value.isEmpty,
            mayBeQuoted(parameter.value)
        else { return nil }
        return MediaType.Parameter(name: scan.lowercased(parameter.name), value: parameter.value)
    }

    /// Whether a quoted string may hold the text; what is above U+00FF was no byte of a field.
    private static func mayBeQuoted(_ text: String) -> Bool {
        if text.utf8.allSatisfy({ $0 == 0x09 || (0x20...0x7E).contains($0) }) { return true }
        return text.unicodeScalars.allSatisfy {
            $0 == "\t" || ("\u{20}"..."\u{7E}").contains($0) || ("\u{80}"..."\u{FF}").contains($0)
        }
    }
}
