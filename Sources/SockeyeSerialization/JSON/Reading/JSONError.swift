/// The reason why a text is not valid JSON, or is not accepted by the options, and the place of the error.
public struct JSONError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of an error. More kinds may be added in a minor release.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
        private enum Value: String, Sendable {
            case empty, unexpectedEnd, unexpectedCharacter, trailingContent, invalidNumber, invalidEscape
            case loneSurrogate, controlCharacter, invalidUnicode, duplicateKey, fragment, tooDeep, tooLarge,
                tooManyMarks
        }

        private let value: Value

        /// The text is empty or contains only blanks.
        public static let empty = Kind(value: .empty)
        /// The text ends in the middle of a value; it may be truncated.
        public static let unexpectedEnd = Kind(value: .unexpectedEnd)
        /// The text contains a character that the grammar does not allow at this place.
        public static let unexpectedCharacter = Kind(value: .unexpectedCharacter)
        /// Something other than blanks follows the value.
        public static let trailingContent = Kind(value: .trailingContent)
        /// A number has a leading zero, or lacks a digit (RFC 8259, 6). With a decoder that allows JSON5: a number is
        /// not valid JSON5.
        public static let invalidNumber = Kind(value: .invalidNumber)
        /// A backslash in a string does not begin a valid escape (RFC 8259, 7).
        public static let invalidEscape = Kind(value: .invalidEscape)
        /// An escape such as `\ud800` is half of a surrogate pair, and the other half is missing.
        public static let loneSurrogate = Kind(value: .loneSurrogate)
        /// A string contains an unescaped character below U+0020.
        public static let controlCharacter = Kind(value: .controlCharacter)
        /// The bytes are not valid in the encoding of the text: UTF-16 or UTF-32 if the first bytes indicate it,
        /// otherwise UTF-8.
        public static let invalidUnicode = Kind(value: .invalidUnicode)
        /// An object has a key twice, and the options demand ``JSONValue/ReadingOptions/DuplicateKeys/error``.
        public static let duplicateKey = Kind(value: .duplicateKey)
        /// The text is neither an object nor an array, and ``JSONValue/ReadingOptions/allowsFragments`` is false.
        public static let fragment = Kind(value: .fragment)
        /// Arrays and objects are nested deeper than ``JSONValue/ReadingOptions/maximumDepth``. With a decoder: they
        /// are nested deeper than the decoder or the stack of the thread allows.
        public static let tooDeep = Kind(value: .tooDeep)
        /// More than 256 combining marks follow each other, escaped or not. Comparing and hashing such strings takes
        /// quadratic time. 30 marks are enough for any language (UAX 15, Stream-Safe Text Format).
        public static let tooManyMarks = Kind(value: .tooManyMarks)
        /// The text is longer than ``JSONValue/ReadingOptions/maximumSize``.
        public static let tooLarge = Kind(value: .tooLarge)

        /// The name of the kind, for logs and metrics.
        public var description: String { value.rawValue }
    }

    /// The kind of the error.
    public let kind: Kind
    /// A sentence in English; its wording may change.
    public let message: String
    /// The place of the error as an offset in the given bytes, counted from 0 and including a byte order mark.
    public let offset: Int
    /// The place by line and column, with the text around it.
    public let excerpt: JSONError.Excerpt

    /// The line of the place, counted from 1; lines end with CR, LF or CRLF.
    public var line: Int { excerpt.line }
    /// The column in the line, counted from 1 in Unicode scalars.
    public var column: Int { excerpt.column }

    init(_ fault: JSONFault, at offset: Int, excerpt: JSONError.Excerpt) {
        kind = fault.kind
        message = fault.message
        self.offset = offset
        self.excerpt = excerpt
    }

    /// The message, the place, and up to 80 bytes on either side of the place.
    public var description: String { "\(message) (\(excerpt))" }
}

/// A parse error without line and column, which are determined when it leaves the parser.
struct JSONFault: Error {
    let kind: JSONError.Kind
    let message: String
    /// The offset in the UTF-8 form of the text.
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
