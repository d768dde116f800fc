/// Takes a Content-Disposition field apart.
enum ContentDispositionParser {
    /// More parameters than this are not read.
    private static let maximumCount = 64
    private static let semicolon = UInt8(ascii: ";")

    static func parse(_ value: String) -> ContentDisposition {
        var scan = FieldScanner(value.utf8Span.span, [.blanksAroundEquals, .unclosedQuotes])
        scan.trim()
        var beginning = scan
        let type = scan.trimmedEnd(scan.take { $0 != semicolon })
        var plain = DistinctParameters()
        var extended = DistinctParameters()
        while scan.skip(semicolon), plain.list.count < maximumCount {
            guard let (name, value, isQuoted) = parameter(&scan) else { continue }
            plain.add(name, value)
            guard name.hasSuffix("*"), !isQuoted, let decoded = ExtendedValue.decode(value) else { continue }
            extended.add(String(name.dropLast()), decoded)
        }
        for parameter in extended.list { plain.replace(parameter) }
        let first = parameter(&beginning)
        return ContentDisposition(
            type: scan.lowercased(type), parameters: plain.list,
            nameInPlaceOfType: first?.name == "filename" ? first?.value : nil)
    }

    /// One parameter, or nil if it does not count.
    private static func parameter(_ scan: inout FieldScanner) -> (name: String, value: String, isQuoted: Bool)? {
        guard let parameter = scan.parameter(), !parameter.name.isEmpty,
            parameter.isQuoted || !parameter.value.isEmpty
        else { return nil }
        return (scan.lowercased(parameter.name), parameter.value, parameter.isQuoted)
    }

    /// A list in which no name stands twice.
    private struct DistinctParameters {
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
