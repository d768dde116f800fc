/// A Content-Disposition field (RFC 6266): tells if content should be shown or saved, and under which file name.
///
/// Parsing is lenient, because many servers violate the rules. Malformed parameters are omitted, the first of several
/// parameters with the same name counts, and values without quotes may have any characters except a semicolon. A
/// parameter with a name that ends in `*` is decoded by RFC 8187, in UTF-8 or ISO-8859-1, and outranks the parameter
/// without the `*`. If it is malformed or has another charset, the parameter without the `*` counts.
public struct ContentDisposition: Sendable, Hashable {
    /// A parameter, without quotes and escapes.
    public struct Parameter: Sendable, Hashable {
        /// The name in lower case. If the name ends in `*` and the value can be decoded, the decoded value is also
        /// listed, under the name without the `*`.
        public let name: String
        /// The value; if the name ends in `*`, the value as sent.
        public let value: String
    }

    /// The disposition type in lower case, such as `attachment` or `inline`. An unknown type means `attachment` (RFC
    /// 6266 4.2).
    public let type: String
    /// The parameters; every name occurs once. Names after the first 64 in the field are ignored.
    public let parameters: [Parameter]
    /// The file name of a field that begins with `filename=` instead of a type, as some servers send it; nil for other
    /// fields.
    let nameInPlaceOfType: String?

    init(type: String, parameters: [Parameter], nameInPlaceOfType: String?) {
        self.type = type
        self.parameters = parameters
        self.nameInPlaceOfType = nameInPlaceOfType
    }

    /// Parses the value of a field. Characters outside ASCII are kept.
    public init(_ value: String) {
        self = ContentDispositionParser.parse(value)
    }

    /// Parses the bytes of a field as UTF-8 if they are valid, else as ISO-8859-1. RFC 6266 (appendix D) advises
    /// servers against bytes outside ASCII, but servers send both encodings.
    package init(fieldBytes: some Collection<UInt8>) {
        if let text = String(validating: fieldBytes, as: UTF8.self) {
            self.init(text)
        } else {
            self.init(String(String.UnicodeScalarView(fieldBytes.map { Unicode.Scalar($0) })))
        }
    }

    /// The value of a parameter; nil if it is missing. The case of names is ignored.
    public subscript(parameter: String) -> String? {
        let name = parameter.lowercased()
        return parameters.first { FieldBytes.areEqual($0.name, name) }?.value
    }

    /// The file name that the server proposes; nil if it proposes no name.
    ///
    /// The name is unchanged: it may be a path, `..`, or worse. Never open a file by this name;
    /// `IncomingResponse.suggestedFileName` is safe.
    public var fileName: String? { self["filename"] ?? nameInPlaceOfType }
}

/// The parser of Content-Disposition fields.
enum ContentDispositionParser {
    /// The maximum number of parameters; further ones are ignored.
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
            guard name.utf8.last == UInt8(ascii: "*"), !isQuoted, let decoded = ExtendedValue.decode(value) else {
                continue
            }
            extended.add(String(Substring(name.utf8.dropLast())), decoded)
        }
        for parameter in extended.list { plain.replace(parameter) }
        let first = parameter(&beginning)
        return ContentDisposition(
            type: scan.lowercased(type), parameters: plain.list,
            nameInPlaceOfType: FieldBytes.areEqual(first?.name, "filename") ? first?.value : nil)
    }

    /// Takes one parameter; nil if it is malformed.
    private static func parameter(_ scan: inout FieldScanner) -> (name: String, value: String, isQuoted: Bool)? {
        guard let parameter = scan.parameter(), !parameter.name.isEmpty,
            parameter.isQuoted || !parameter.value.isEmpty
        else { return nil }
        return (scan.lowercased(parameter.name), parameter.value, parameter.isQuoted)
    }

    /// A list in which every name occurs once.
    private struct DistinctParameters {
        private(set) var list: [ContentDisposition.Parameter] = []

        mutating func add(_ name: String, _ value: String) {
            guard !list.contains(where: { FieldBytes.areEqual($0.name, name) }) else { return }
            list.append(ContentDisposition.Parameter(name: name, value: value))
        }

        mutating func replace(_ parameter: ContentDisposition.Parameter) {
            list.removeAll { FieldBytes.areEqual($0.name, parameter.name) }
            list.append(parameter)
        }
    }
}

/// A parameter value with charset and language (RFC 8187 3.2): `UTF-8'en'%E2%82%AC%20rates`.
enum ExtendedValue {
    /// Decodes an extended value. Nil if it is malformed, if the bytes are invalid in the charset, and for charsets
    /// other than UTF-8 and ISO-8859-1.
    static func decode(_ text: String) -> String? {
        let parts = text.utf8.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = PercentEncoding.decodeStrictly(parts[2]) else { return nil }
        let charset = Substring(parts[0])
        if FieldBytes.isWord(charset, "utf-8") { return String(validating: bytes, as: UTF8.self) }
        // Each byte becomes the character with the same number, even if that is a control character. The WHATWG
        // Encoding Standard instead decodes `iso-8859-1` as Windows-1252, which differs from ISO-8859-1 for some bytes.
        guard FieldBytes.isWord(charset, "iso-8859-1") else { return nil }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
