/// Why bytes are no JSON, or none that the options accept, and where.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was wrong. More kinds may be added in a minor release.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String, Sendable {
            case empty, unexpectedEnd, unexpectedCharacter, trailingContent, invalidNumber, invalidEscape
            case loneSurrogate, controlCharacter, invalidUnicode, duplicateKey, fragment, tooDeep, tooLarge,
                tooManyMarks
        }

        private let value: Value

        /// There is nothing, or nothing but blanks.
        public static let empty = Kind(value: .empty)
        /// The text ends in the middle of a value, as a truncated one does.
        public static let unexpectedEnd = Kind(value: .unexpectedEnd)
        /// A character stands where the grammar has another.
        public static let unexpectedCharacter = Kind(value: .unexpectedCharacter)
        /// Something other than blanks follows the value.
        public static let trailingContent = Kind(value: .trailingContent)
        /// A number has a leading zero, or no digit where one must be (RFC 8259, 6).
        public static let invalidNumber = Kind(value: .invalidNumber)
        /// A backslash in a string is followed by nothing that it may be followed by (RFC 8259, 7).
        public static let invalidEscape = Kind(value: .invalidEscape)
        /// An escape such as `\ud800` is half of a character, and the other half is missing.
        public static let loneSurrogate = Kind(value: .loneSurrogate)
        /// A character below U+0020 stands in a string unescaped.
        public static let controlCharacter = Kind(value: .controlCharacter)
        /// The bytes are not valid UTF-8, or not valid UTF-16 or UTF-32 where the text starts as one of those.
        public static let invalidUnicode = Kind(value: .invalidUnicode)
        /// A key comes twice in one object, and ``JSONValue/ReadingOptions/DuplicateKeys/error`` was asked for.
        public static let duplicateKey = Kind(value: .duplicateKey)
        /// The text is neither object nor array, and ``JSONValue/ReadingOptions/allowsFragments`` is false.
        public static let fragment = Kind(value: .fragment)
        /// Arrays and objects are nested deeper than ``JSONValue/ReadingOptions/maximumDepth``.
        public static let tooDeep = Kind(value: .tooDeep)
        /// More than 256 combining marks follow each other, escaped or not, where 30 are enough for any language (UAX 15,
        /// Stream-Safe Text Format): comparing and hashing such strings takes time with the square of that number.
        public static let tooManyMarks = Kind(value: .tooManyMarks)
        /// The text is longer than ``JSONValue/ReadingOptions/maximumSize``.
        public static let tooLarge = Kind(value: .tooLarge)

        /// The name of the kind, for logs and metrics.
        public var description: String { value.rawValue }
    }

    /// What was wrong.
    public let kind: Kind
    /// One sentence for people; its wording may change.
    public let message: String
    /// The place in the given bytes, counted from 0, byte order mark included.
    public let offset: Int
    /// The place by line and column, and what stands there.
    public let excerpt: JSONError.Excerpt

    /// The line of the place, counted from 1; lines end with CR, LF or CRLF.
    public var line: Int { excerpt.line }
    /// The character of the line, counted from 1 in Unicode scalars.
    public var column: Int { excerpt.column }

    init(_ fault: JSONFault, at offset: Int, excerpt: JSONError.Excerpt) {
        kind = fault.kind
        message = fault.message
        self.offset = offset
        self.excerpt = excerpt
    }

    /// The reason, the place, and up to 80 bytes on either side of it.
    public var description: String { "\(message) (\(excerpt))" }
}

/// A parse error without line and column, which are looked up once it leaves the parser.
struct JSONFault: Error {
    let kind: JSONError.Kind
    let message: String
    /// Counted in the UTF-8 form of the text.
    let offset: Int

    static func tooManyMarks(at offset: Int) -> JSONFault {
        JSONFault(.tooManyMarks, at: offset, "more than \(CombiningRuns.limit) combining marks follow each other")
    }

    init(_ kind: JSONError.Kind, at offset: Int, _ message: String) {
        self.kind = kind
        self.offset = offset
        self.message = message
    }
}
