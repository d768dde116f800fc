/// A Content-Disposition field (RFC 6266): whether content is to be shown or saved, and under which name.
///
/// Reading is lenient, since many servers break the rules: what cannot be read is left out, of several parameters of one
/// name the first counts, and values without quotes may hold anything but a semicolon. A parameter whose name ends in `*`
/// is read as RFC 8187 has it, in UTF-8 or ISO-8859-1, and outranks the one without; where it is malformed or of another
/// charset the plain one counts.
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

    /// The name that the server proposes, exactly as it does: it may be a path, `..`, or worse. Never write to it; see
    /// ``SuggestedFileName``.
    public var fileName: String? { self["filename"] ?? nameInPlaceOfType }
}
