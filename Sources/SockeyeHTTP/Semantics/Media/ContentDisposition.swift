/// A Content-Disposition field (RFC 6266): whether content is to be shown or saved, and under which name.
///
/// Reading is lenient, since many servers break the rules: what cannot be read is left out, of several parameters of
/// one name the first counts, and values without quotes may hold anything but a semicolon. A parameter whose name ends
/// in `*` is read as RFC 8187 has it, in UTF-8 or ISO-8859-1, and outranks the one without; where it is malformed or of
/// another charset the plain one counts.
public struct ContentDisposition: Sendable, Hashable {
    /// A parameter, its quotes and escapes taken off.
    public struct Parameter: Sendable, Hashable {
        /// The name in lower case; of an extended parameter there are two, with and without the `*`.
        public let name: String
        /// The value; with the name that ends in `*` as it was sent, else decoded.
        public let value: String
    }

    /// The disposition in lower case, such as `attachment` or `inline`; unknown ones mean `attachment` (RFC 6266 4.2).
    public let type: String
    /// The parameters, no name twice.
    public let parameters: [Parameter]
    /// A name of a file where the type should be: servers forget it.
    let nameInPlaceOfType: String?

    init(type: String, parameters: [Parameter], nameInPlaceOfType: String?) {
        self.type = type
        self.parameters = parameters
        self.nameInPlaceOfType = nameInPlaceOfType
    }

    /// Reads the value of a field, whose characters beyond ASCII are taken as they are.
    public init(_ value: String) {
        self = ContentDispositionParser.parse(value)
    }

    /// Reads the bytes of a field: as UTF-8 where they are that, else as ISO-8859-1. RFC 6266 wants neither outside
    /// ASCII; servers send both.
    package init(fieldBytes: some Collection<UInt8>) {
        if let text = String(validating: fieldBytes, as: UTF8.self) {
            self.init(text)
        } else {
            self.init(String(String.UnicodeScalarView(fieldBytes.map { Unicode.Scalar($0) })))
        }
    }

    /// The value of a parameter; names are compared without regard to case.
    public subscript(parameter: String) -> String? {
        let name = parameter.lowercased()
        return parameters.first { $0.name == name }?.value
    }

    /// The name that the server proposes, exactly as it does: it may be a path, `..`, or worse. Never write to it;
    /// `IncomingResponse.suggestedFileName` is safe.
    public var fileName: String? { self["filename"] ?? nameInPlaceOfType }
}

/// The parser of Content-Disposition fields.
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

/// A parameter value with charset and language (RFC 8187 3.2): `UTF-8'en'%E2%82%AC%20rates`.
enum ExtendedValue {
    /// Nil for what is malformed, for bytes that are not of the charset, and for charsets other than UTF-8 and
    /// ISO-8859-1.
    static func decode(_ text: String) -> String? {
        let parts = text.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = PercentEncoding.decodeStrictly(parts[2]) else { return nil }
        switch String(Substring(parts[0])).lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        // One character for each byte, controls included; WHATWG's windows-1252 would read other ones for some.
        case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }
}
