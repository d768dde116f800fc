#if XML
import SockeyeCore

/// The reason why an XML document is malformed or refused, and the position of the fault.
public struct XMLError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of a fault. More kinds may be added in a minor release.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String, Sendable {
            case empty, unexpectedEnd, malformed, undeclaredPrefix, invalidCharacter, unknownEncoding
            case undeclaredEntity, externalEntity, parameterEntity, unsupportedEntity
            case tooMuchExpansion, tooDeep, tokenTooLarge, tooManyAttributes, tooManyNamespaces
            case tooManyNames, tooManyNodes, tooMuchText
        }

        private let value: Value

        /// The document is empty or has only white space.
        public static let empty = Kind(value: .empty)
        /// The document ends before its root element ends, for example because it was truncated.
        public static let unexpectedEnd = Kind(value: .unexpectedEnd)
        /// The document is not well-formed (XML 1.0, 2.1).
        public static let malformed = Kind(value: .malformed)
        /// A prefix is not declared, or a declaration binds a reserved prefix (Namespaces in XML 1.0).
        public static let undeclaredPrefix = Kind(value: .undeclaredPrefix)
        /// The bytes are invalid in the document's encoding, or encode a character that XML does not allow.
        public static let invalidCharacter = Kind(value: .invalidCharacter)
        /// The document or Content-Type names an unknown encoding.
        public static let unknownEncoding = Kind(value: .unknownEncoding)
        /// A referenced entity is not declared in the document. This includes entities of an external DTD, such as
        /// XHTML's `&nbsp;`, because no DTD is ever loaded.
        public static let undeclaredEntity = Kind(value: .undeclaredEntity)
        /// A referenced entity is external: its text is in another file or on a server. External entities are never
        /// fetched.
        public static let externalEntity = Kind(value: .externalEntity)
        /// The DTD declares or references a parameter entity; these are not supported.
        public static let parameterEntity = Kind(value: .parameterEntity)
        /// A referenced entity contains markup, or is unparsed data (NDATA) and not text.
        public static let unsupportedEntity = Kind(value: .unsupportedEntity)
        /// The expansion of entities and of the DTD's default attributes exceeds ``XMLLimits/maximumExpansion``, or
        /// entities are nested more than 32 levels deep, for example because an entity contains itself.
        public static let tooMuchExpansion = Kind(value: .tooMuchExpansion)
        /// Elements are nested deeper than ``XMLLimits/maximumDepth``.
        public static let tooDeep = Kind(value: .tooDeep)
        /// A tag, comment, CDATA section, processing instruction or DTD exceeds ``XMLLimits/maximumTokenSize``, or a
        /// name exceeds libxml2's own limit.
        public static let tokenTooLarge = Kind(value: .tokenTooLarge)
        /// The attributes of an element exceed ``XMLLimits/maximumAttributes``.
        public static let tooManyAttributes = Kind(value: .tooManyAttributes)
        /// The namespaces in scope of an element exceed ``XMLLimits/maximumNamespaces``.
        public static let tooManyNamespaces = Kind(value: .tooManyNamespaces)
        /// The different names exceed ``XMLLimits/maximumNames``, or libxml2's own limit.
        public static let tooManyNames = Kind(value: .tooManyNames)
        /// The nodes of the tree exceed ``XMLDocument/Options/maximumNodes``.
        public static let tooManyNodes = Kind(value: .tooManyNodes)
        /// The text of the tree exceeds ``XMLDocument/Options/maximumTextSize``.
        public static let tooMuchText = Kind(value: .tooMuchText)

        /// The name of the kind, for logs and metrics.
        public var description: String { value.rawValue }
    }

    /// The kind of the fault.
    public let kind: Kind
    /// A sentence that describes the fault and may contain names from the document. Its wording may change.
    public let message: String
    /// The line where the fault was noticed, counted from 1.
    public let line: Int
    /// The position of the fault in that line, in Unicode scalars counted from 1.
    public let column: Int
    /// The text around the position: up to 80 bytes on either side of an arrow. Control characters are replaced by
    /// Unicode's symbols for them, such as `␊`, and those without a symbol by U+FFFD. Empty if there is no text.
    public let excerpt: String

    init(_ fault: XMLFault, line: Int, column: Int, excerpt: String) {
        kind = fault.kind
        message = fault.message
        self.line = line
        self.column = column
        self.excerpt = excerpt
    }

    /// The message, the position and the excerpt.
    public var description: String {
        "\(message) (line \(line), column \(column)\(excerpt.isEmpty ? "" : ": \(excerpt)"))"
    }
}

/// The text around a position, for error messages.
enum XMLExcerpt {
    /// The maximum number of bytes on either side.
    static let reach = 80

    /// Returns the text with an arrow at the position, on one line. Characters cut off at either end are dropped.
    static func text(_ before: [UInt8], _ after: [UInt8]) -> String {
        let head = before.drop { UTF8.isContinuation($0) }
        var end = after.count
        // Drops the last character if it is cut off. Its first byte tells how many bytes the whole character has.
        if end == reach, let last = after.lastIndex(where: { !UTF8.isContinuation($0) }), after[last] >= 0xC0,
            end - last < (after[last] >= 0xF0 ? 4 : after[last] >= 0xE0 ? 3 : 2)
        {
            end = last
        }
        return String(decoding: head, as: UTF8.self).visible + "→"
            + String(decoding: after[..<end], as: UTF8.self).visible
    }
}

/// A parse error without its position.
struct XMLFault: Error {
    let kind: XMLError.Kind
    let message: String

    init(_ kind: XMLError.Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}
#endif
