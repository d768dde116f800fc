/// A media type such as `text/html;charset=utf-8`, read and written as the WHATWG MIME Sniffing standard has it, 4.
///
/// Reading is lenient where the field is: broken parameters are left out and the rest counts; a broken type or subtype
/// gives no value at all. Of several parameters of one name the first counts.
public struct MediaType: Sendable, Hashable, CustomStringConvertible {
    /// A parameter, its quotes and escapes taken off.
    public struct Parameter: Sendable, Hashable {
        /// The name in lower case.
        public let name: String
        /// The value as it was written; may be empty if it was quoted.
        public let value: String
    }

    /// The type in lower case, `text` of `text/html`.
    public let type: String
    /// The subtype in lower case, `html` of `text/html`.
    public let subtype: String
    /// The parameters in their order, no name twice.
    public internal(set) var parameters: [Parameter]

    init(type: String, subtype: String, parameters: [Parameter]) {
        self.type = type
        self.subtype = subtype
        self.parameters = parameters
    }

    /// Reads one media type; nil if `string` is none.
    ///
    /// For a Content-Type field, which may come several times, use ``extract(from:)``.
    public init?(_ string: String) {
        guard let parsed = MediaTypeParser.parse(string) else { return nil }
        self = parsed
    }

    /// Type and subtype without parameters.
    public var essence: String { "\(type)/\(subtype)" }

    /// The value of a parameter; names are compared without regard to case.
    public subscript(parameter: String) -> String? {
        let name = parameter.lowercased()
        return parameters.first { $0.name == name }?.value
    }

    /// The value of the `charset` parameter as it was written.
    public var charset: String? { self["charset"] }

    /// The encoding that ``charset`` names, if it names one.
    package var encoding: TextEncoding? { charset.flatMap { TextEncoding(label: $0) } }

    /// Whether this type falls under `pattern`: a type, `text/*` or `*/*`. `application/*+json` matches any subtype of
    /// that suffix (RFC 6838, 4.2.8). Parameters of either side do not count.
    public func matches(_ pattern: String) -> Bool {
        MediaRange(pattern.utf8Span.span).contains(self)
    }

    /// The type as it goes into a field: values that are no tokens in quotes.
    public var description: String {
        parameters.reduce(into: essence) { text, parameter in
            text += ";\(parameter.name)=" + FieldText.parameterValue(parameter.value)
        }
    }
}
