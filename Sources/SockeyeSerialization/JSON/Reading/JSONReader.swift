extension JSONValue {
    /// Reads a JSON text, which is bytes in UTF-8, or in UTF-16 or UTF-32 if they start as `JSONSerialization` expects.
    ///
    /// An empty text is an error here; that an empty body is no error is for the response serializer to say.
    ///
    /// - Throws: ``JSONError`` with the place and what stands there.
    public init(
        parsing bytes: some Sequence<UInt8>, options: JSONValue.ReadingOptions = JSONValue.ReadingOptions()
    ) throws(JSONError) {
        let reader = JSONReader(options: options)
        // The closure is one of the standard library's that forgets what it throws.
        let result = bytes.withContiguousStorageIfAvailable { bytes in
            Result { () throws(JSONError) in try unsafe reader.value(bytes.span) }
        }
        guard let result else {
            self = try reader.value(Array(bytes).span)
            return
        }
        self = try result.get()
    }

    /// Reads a JSON text.
    ///
    /// - Throws: ``JSONError`` with the place and what stands there.
    public init(
        parsing text: some StringProtocol, options: JSONValue.ReadingOptions = JSONValue.ReadingOptions()
    ) throws(JSONError) {
        try self.init(parsing: text.utf8, options: options)
    }
}

/// The parser's front end: transcodes to UTF-8 and gives errors their place.
struct JSONReader {
    let options: JSONValue.ReadingOptions

    func value(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
        guard bytes.count <= options.maximumSize else {
            let message = "the text has \(bytes.count) bytes, at most \(options.maximumSize) were to be read"
            let fault = JSONFault(.tooLarge, at: options.maximumSize, message)
            throw JSONError(fault, at: fault.offset, excerpt: JSONError.Excerpt(bytes, at: fault.offset))
        }
        let form = JSONTextForm(detecting: bytes)
        guard !form.isUTF8 else {
            do throws(JSONFault) {
                return try parse(bytes, from: form.markLength)
            } catch {
                throw JSONError(error, at: error.offset, excerpt: JSONError.Excerpt(bytes, at: error.offset))
            }
        }
        let (text, isValid) = form.transcoded(bytes)
        do throws(JSONFault) {
            let value = try parse(text.span, from: 0)
            guard isValid else { throw Self.invalidUnicode(text.count) }
            return value
        } catch {
            // What is missing at the end is missing because nobody could read on.
            let fault = !isValid && error.kind == .unexpectedEnd ? Self.invalidUnicode(text.count) : error
            let offset = form.originalOffset(of: fault.offset, in: text)
            throw JSONError(fault, at: offset, excerpt: JSONError.Excerpt(text.span, at: fault.offset))
        }
    }

    private func parse(_ bytes: Span<UInt8>, from start: Int) throws(JSONFault) -> JSONValue {
        if let place = CombiningRuns.excess(in: bytes, readsEscapes: true) { throw .tooManyMarks(at: place) }
        var parser = JSONParser(bytes, options: options)
        parser.position = start
        return try parser.parse()
    }

    private static func invalidUnicode(_ offset: Int) -> JSONFault {
        JSONFault(.invalidUnicode, at: offset, "the text is not valid UTF-16 or UTF-32")
    }
}

extension JSONValue {
    /// What is accepted as JSON, and how much of it.
    ///
    /// The grammar is always that of RFC 8259: no comments, trailing commas, unquoted keys, NaN or leading zeros.
    public struct ReadingOptions: Sendable, Hashable {
        /// What to do about a key that comes twice in one object, which RFC 8259, 4 leaves open.
        @nonexhaustive public enum DuplicateKeys: String, Sendable, Hashable {
            /// The last value counts, in the place of the first, as in `JSONSerialization` and in browsers.
            case lastWins
            /// The first value counts, as in `JSONDecoder`.
            case firstWins
            /// The text is refused with ``JSONError/Kind-swift.struct/duplicateKey``: for whoever must not read something
            /// else than the peer's other readers do.
            case error
        }

        /// What to do about a key that comes twice in one object; the last value counts by default.
        public var duplicateKeys = DuplicateKeys.lastWins

        /// Whether the text may be a lone string, number, Boolean or null, as RFC 8259 allows; true by default.
        /// `JSONSerialization`, and with it AFNetworking, refuses those unless told otherwise.
        public var allowsFragments = true

        /// How many arrays and objects may stand inside each other: 200 by default, and ``deepest`` at most; a larger number
        /// counts as that.
        ///
        /// A value is freed by recursion, wherever it happens to be let go, and that cannot fail: with 200 levels it takes less
        /// than 64 KiB of stack, with more up to 250 bytes for each. Some threads have no more than 128 KiB.
        public var maximumDepth = 200

        /// How many bytes the text may have: 64 MiB by default. Reading takes memory for what comes out: most texts some
        /// five times their size, and none more than thirty times, which one of nothing but `[0],[0],…` comes close to.
        public var maximumSize = 64 << 20

        /// The most that ``maximumDepth`` can be: freeing such a value takes 512 KiB of stack.
        public static let deepest = 2048

        /// Makes the default options.
        public init() {}

        /// Makes options; see the properties.
        public init(
            duplicateKeys: DuplicateKeys = .lastWins, allowsFragments: Bool = true, maximumDepth: Int = 200,
            maximumSize: Int = 64 << 20
        ) {
            self.duplicateKeys = duplicateKeys
            self.allowsFragments = allowsFragments
            self.maximumDepth = maximumDepth
            self.maximumSize = maximumSize
        }
    }
}
