#if XML
/// Why bytes are no XML document, or none that is accepted, and where.
public struct XMLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong. More kinds may be added in a minor release.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String, Sendable {
            case empty, unexpectedEnd, malformed, undeclaredPrefix, invalidCharacter, unknownEncoding
            case undeclaredEntity, externalEntity, parameterEntity, unsupportedEntity
            case tooMuchExpansion, tooDeep, tokenTooLarge, tooManyAttributes, tooManyNamespaces
            case tooManyNames, tooManyNodes, tooMuchText
        }

        private let value: Value

        /// There is nothing, or nothing but blanks.
        public static let empty = Kind(value: .empty)
        /// The document ends before its root element does, as a truncated one does.
        public static let unexpectedEnd = Kind(value: .unexpectedEnd)
        /// The document is not well-formed (XML 1.0, 2.1).
        public static let malformed = Kind(value: .malformed)
        /// A prefix is used that stands for no namespace, or one is declared that must not be (Namespaces in XML 1.0).
        public static let undeclaredPrefix = Kind(value: .undeclaredPrefix)
        /// The bytes are not valid in the document's encoding, or stand for a character that XML does not have.
        public static let invalidCharacter = Kind(value: .invalidCharacter)
        /// The encoding that the document or Content-Type names is not known.
        public static let unknownEncoding = Kind(value: .unknownEncoding)
        /// A reference to an entity that the document does not declare. Entities of an external DTD, such as XHTML's
        /// `&nbsp;`, count as not declared, since no DTD is ever loaded.
        public static let undeclaredEntity = Kind(value: .undeclaredEntity)
        /// A reference to an entity that lies in another file or on another server. None is ever fetched.
        public static let externalEntity = Kind(value: .externalEntity)
        /// The DTD declares or refers to a parameter entity. Nothing but DTDs and attacks has them.
        public static let parameterEntity = Kind(value: .parameterEntity)
        /// A reference to an entity that contains markup, or something that is no text.
        public static let unsupportedEntity = Kind(value: .unsupportedEntity)
        /// Entities and defaults of the DTD come to more than ``XMLLimits/maximumExpansion``, or an entity contains itself.
        public static let tooMuchExpansion = Kind(value: .tooMuchExpansion)
        /// Elements are nested deeper than ``XMLLimits/maximumDepth``.
        public static let tooDeep = Kind(value: .tooDeep)
        /// A tag, comment, CDATA section or DTD is longer than ``XMLLimits/maximumTokenSize``, or a name exceeds a limit of libxml2's own.
        public static let tokenTooLarge = Kind(value: .tokenTooLarge)
        /// An element has more than ``XMLLimits/maximumAttributes``.
        public static let tooManyAttributes = Kind(value: .tooManyAttributes)
        /// More than ``XMLLimits/maximumNamespaces`` are declared at one place.
        public static let tooManyNamespaces = Kind(value: .tooManyNamespaces)
        /// There are more different names than ``XMLLimits/maximumNames``, or they exceed a limit of libxml2's own.
        public static let tooManyNames = Kind(value: .tooManyNames)
        /// The tree has more than ``XMLDocument/Options/maximumNodes``.
        public static let tooManyNodes = Kind(value: .tooManyNodes)
        /// The tree has more text than ``XMLDocument/Options/maximumTextSize``.
        public static let tooMuchText = Kind(value: .tooMuchText)

        /// The name of the kind, for logs and metrics.
        public var description: String { value.rawValue }
    }

    /// What was wrong.
    public let kind: Kind
    /// One sentence for people, which may contain names of the document; its wording may change.
    public let message: String
    /// The line where it was noticed, counted from 1.
    public let line: Int
    /// The byte of the line, counted from 1, in UTF-8.
    public let column: Int
    /// What stands there, at most 80 bytes on either side of an arrow, control characters as their pictures. Empty if
    /// nothing was there.
    public let excerpt: String

    init(_ fault: XMLFault, line: Int, column: Int, excerpt: String) {
        kind = fault.kind
        message = fault.message
        self.line = line
        self.column = column
        self.excerpt = excerpt
    }

    /// The reason, the place, and what stands there.
    public var description: String {
        "\(message) (line \(line), column \(column)\(excerpt.isEmpty ? "" : ": \(excerpt)"))"
    }
}

/// The text around a place, for error messages.
enum XMLExcerpt {
    /// How many bytes are shown on either side.
    static let reach = 80

    /// The text with an arrow at the place, in one line. Characters that were cut at either end are left out.
    static func text(_ before: [UInt8], _ after: [UInt8]) -> String {
        let head = before.drop { UTF8.isContinuation($0) }
        var end = after.count
        // Not more than one character, or there would be nothing left of what is no UTF-8 at all.
        if end == reach, let last = after.lastIndex(where: { !UTF8.isContinuation($0) }), after[last] >= 0xC0,
            end - last < 4
        {
            end = last
        }
        return visible(String(decoding: head, as: UTF8.self)) + "→"
            + visible(String(decoding: after[..<end], as: UTF8.self))
    }

    private static func visible(_ text: String) -> String {
        var output = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            // The block of control pictures has one for each control, in their order.
            output.append(scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) ?? " " : scalar)
        }
        return String(output)
    }
}

/// A parse error without its place.
struct XMLFault: Error {
    let kind: XMLError.Kind
    let message: String

    init(_ kind: XMLError.Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
#endif
