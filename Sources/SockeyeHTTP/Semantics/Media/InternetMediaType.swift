/// A media type such as `text/html;charset=utf-8`, parsed and formatted as in section 4 of the WHATWG MIME
/// Sniffing standard.
///
/// Parsing is as lenient as that standard: malformed parameters are omitted, but a malformed type or subtype gives nil.
/// The first of several parameters with the same name counts.
public struct InternetMediaType: Sendable, Hashable, CustomStringConvertible {
    /// A parameter, without quotes and escapes.
    public struct Parameter: Sendable, Hashable {
        /// The name in lower case.
        public let name: String
        /// The value, in the case in which it was written. It can be empty only if it was quoted.
        public let value: String
    }

    /// The type in lower case, `text` of `text/html`.
    public let type: String
    /// The subtype in lower case, `html` of `text/html`.
    public let subtype: String
    /// The parameters in order; every name occurs once.
    public internal(set) var parameters: [Parameter]

    init(type: String, subtype: String, parameters: [Parameter]) {
        self.type = type
        self.subtype = subtype
        self.parameters = parameters
    }

    /// Parses one media type; nil if `string` is not a media type.
    ///
    /// For a Content-Type field, which may be repeated, use ``extract(from:)``.
    public init?(_ string: String) {
        guard let parsed = MediaTypeParser.parse(string) else { return nil }
        self = parsed
    }

    /// Type and subtype without parameters.
    public var essence: String { "\(type)/\(subtype)" }

    /// The value of a parameter; nil if it is missing. The case of names is ignored.
    public subscript(parameter: String) -> String? {
        let name = parameter.lowercased()
        return parameters.first { $0.name == name }?.value
    }

    /// The value of the `charset` parameter as written; nil if it is missing.
    public var charset: String? { self["charset"] }

    /// The encoding that ``charset`` names; nil if it is missing or unknown.
    package var encoding: TextEncoding? { charset.flatMap { TextEncoding(label: $0) } }

    /// Returns true if this type matches `pattern`: a type, `text/*` or `*/*`. `application/*+json` matches any subtype
    /// with that suffix (RFC 6838, 4.2.8). Case is ignored, and so are parameters on either side.
    public func matches(_ pattern: String) -> Bool {
        MediaRange(pattern.utf8Span.span).contains(self)
    }

    /// The type as a field value; parameter values that are not tokens are quoted.
    public var description: String {
        parameters.reduce(into: essence) { text, parameter in
            text += ";\(parameter.name)=" + FieldText.parameterValue(parameter.value)
        }
    }
}

extension InternetMediaType {
    /// Returns the media type of a message with these Content-Type values, in order (WHATWG Fetch, 2.2.2 "extract a
    /// MIME type").
    ///
    /// If there are several media types, in several fields or in a list (RFC 9110, 8.3), the last valid one counts.
    /// `*/*` counts as invalid. Nil if no value is valid.
    ///
    /// Successive valid values with the same type and subtype form a series; invalid values do not interrupt it. If the
    /// last valid value has no charset, the result has the charset, if any, of the first value in the last series.
    public static func extract(from fieldValues: [String]) -> InternetMediaType? {
        // The fast path for nearly every message.
        if fieldValues.count == 1, hasNoComma(fieldValues[0]) {
            return InternetMediaType(fieldValues[0]).flatMap { $0.isAnything ? nil : $0 }
        }
        var result: InternetMediaType?
        var charset: String?
        let list = Array(fieldValues.joined(separator: ", ").utf8)
        // A comma inside quotes separates nothing, even if the quotes are not closed.
        var scan = FieldScanner(list.span)
        while let member = scan.quotedMember() {
            guard var type = InternetMediaType(scan.string(member)), !type.isAnything else { continue }
            if type.essence != result?.essence {
                charset = type.charset
            } else if type.charset == nil, let charset {
                type.parameters.append(Parameter(name: "charset", value: charset))
            }
            result = type
        }
        return result
    }

    private static func hasNoComma(_ value: String) -> Bool {
        var scan = FieldScanner(value.utf8Span.span)
        _ = scan.take { $0 != UInt8(ascii: ",") }
        return scan.isAtEnd
    }

    private var isAnything: Bool { type == "*" && subtype == "*" }
}

/// The parser of media types (WHATWG MIME Sniffing, 4.4).
enum MediaTypeParser {
    static func parse(_ string: String) -> InternetMediaType? {
        var scan = FieldScanner(string.utf8Span.span, [.lineEndsAsBlanks, .unclosedQuotes])
        scan.trim()
        guard let type = scan.token(), scan.skip(UInt8(ascii: "/")) else { return nil }
        let subtype = scan.trimmedEnd(scan.take { $0 != UInt8(ascii: ";") })
        guard !subtype.isEmpty, scan.allSatisfy(subtype, ByteClass.isToken) else { return nil }
        var result = InternetMediaType(type: scan.lowercased(type), subtype: scan.lowercased(subtype), parameters: [])
        // Most types have at most one parameter, so the set of names is made only for the second.
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

    /// Takes one parameter; nil if it is malformed.
    private static func parameter(_ scan: inout FieldScanner) -> InternetMediaType.Parameter? {
        guard let parameter = scan.parameter(), !parameter.name.isEmpty,
            scan.allSatisfy(parameter.name, ByteClass.isToken), parameter.isQuoted || !parameter.value.isEmpty,
            mayBeQuoted(parameter.value)
        else { return nil }
        return InternetMediaType.Parameter(name: scan.lowercased(parameter.name), value: parameter.value)
    }

    /// Returns true if a quoted string may contain the text (WHATWG MIME Sniffing, "HTTP quoted-string token code
    /// point"). The standard takes each byte of a field for one character, so it allows no characters above U+00FF.
    private static func mayBeQuoted(_ text: String) -> Bool {
        var scan = FieldScanner(text.utf8Span.span)
        _ = scan.take { $0 == 0x09 || (0x20...0x7E).contains($0) }
        if scan.isAtEnd { return true }
        return text.unicodeScalars.allSatisfy {
            $0 == "\t" || ("\u{20}"..."\u{7E}").contains($0) || ("\u{80}"..."\u{FF}").contains($0)
        }
    }
}

/// A pattern for media types: `text/html`, `text/*`, `*/*` or `application/*+json`. Parameters of the pattern, and
/// blanks around its parts, are ignored.
struct MediaRange: ~Escapable {
    private let text: Span<UInt8>
    private let type: Range<Int>
    /// Nil if the pattern has no slash; it then matches nothing.
    private let subtype: Range<Int>?

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) {
        self.text = text
        var scan = FieldScanner(text)
        let isInside: (UInt8) -> Bool = { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ";") }
        scan.skipBlanks()
        type = scan.trimmedEnd(scan.take(isInside))
        guard scan.skip(UInt8(ascii: "/")) else {
            subtype = nil
            return
        }
        scan.skipBlanks()
        subtype = scan.trimmedEnd(scan.take { $0 != UInt8(ascii: ";") })
    }

    func contains(_ mediaType: InternetMediaType) -> Bool {
        guard let subtype, isWildcard(type) || matches(mediaType.type.utf8Span.span, type) else { return false }
        if subtype.count >= 2, text[subtype.lowerBound] == UInt8(ascii: "*"),
            text[subtype.lowerBound + 1] == UInt8(ascii: "+")
        {
            let own = mediaType.subtype.utf8Span.span
            guard own.count >= subtype.count else { return false }
            return matches(own.extracting(last: subtype.count - 1), subtype.dropFirst())
        }
        return isWildcard(subtype) || matches(mediaType.subtype.utf8Span.span, subtype)
    }

    private func isWildcard(_ range: Range<Int>) -> Bool {
        range.count == 1 && text[range.lowerBound] == UInt8(ascii: "*")
    }

    /// Returns true if the texts are equal, ignoring case. `lowercased` must be in lower case.
    private func matches(_ lowercased: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard lowercased.count == range.count else { return false }
        for place in lowercased.indices where lowercased[place] != ByteClass.lowercased(text[range.lowerBound + place])
        {
            return false
        }
        return true
    }
}
