/// Takes a Content-Disposition field apart.
enum ContentDispositionParser {
    /// More parameters than this are not read.
    private static let maximumCount = 64

    static func parse(_ value: String) -> ContentDisposition {
        var scan = FieldScanner(value)
        scan.trim(\.isFieldBlank)
        var beginning = scan
        let type = FieldScanner.trimmedEnd(scan.take { $0 != ";" }, \.isFieldBlank)
        var plain = Parameters()
        var extended = Parameters()
        while scan.skip(";"), plain.list.count < maximumCount {
            guard let (name, value, isQuoted) = parameter(&scan) else { continue }
            plain.add(name, value)
            guard name.hasSuffix("*"), !isQuoted, let decoded = ExtendedValue.decode(value) else { continue }
            extended.add(String(name.dropLast()), decoded)
        }
        for parameter in extended.list { plain.replace(parameter) }
        let first = parameter(&beginning)
        return ContentDisposition(
            type: String(type).lowercased(), parameters: plain.list,
            nameInPlaceOfType: first?.name == "filename" ? first?.value : nil)
    }

    /// One parameter, or nil if there is none; the scan then stands at a semicolon or at the end.
    private static func parameter(_ scan: inout FieldScanner) -> (name: String, value: String, isQuoted: Bool)? {
        _ = scan.take(\.isFieldBlank)
        let name = FieldScanner.trimmedEnd(scan.take { $0 != ";" && $0 != "=" }, \.isFieldBlank)
        guard scan.skip("=") else { return nil }
        _ = scan.take(\.isFieldBlank)
        let isQuoted = scan.peek == "\""
        let value: String
        if isQuoted {
            value = scan.quotedString()
            // What stands behind the closing quote belongs to nothing.
            _ = scan.take { $0 != ";" }
        } else {
            value = String(FieldScanner.trimmedEnd(scan.take { $0 != ";" }, \.isFieldBlank))
        }
        guard !name.isEmpty, !value.isEmpty || isQuoted else { return nil }
        return (String(name).lowercased(), value, isQuoted)
    }

    /// A list in which no name stands twice.
    private struct Parameters {
        private(set) var list: [ContentDisposition.Parameter] = []

        mutating func add(_ name: String, _ value: String) {
            guard !list.contains(where: { $0.name == name }) else { return }
            list.append(ContentDisposition.Parameter(name: name, value: value))
        }

        mutating func replace(_ parameter: ContentDisposition.Parameter) {
            list.removeAll { $0.name == parameter.name }
            list.append(parameter)
        }
    }
}

extension Unicode.Scalar {
    fileprivate var isFieldBlank: Bool { self == " " || self == "\t" }
}
