extension JSONValue {
    /// Reads a JSON text from bytes in UTF-8, UTF-16 or UTF-32. The encoding is detected as in `JSONSerialization`,
    /// with one exception: a text of only two bytes, without a byte order mark, is UTF-8.
    ///
    /// An empty text is an error.
    ///
    /// - Throws: ``JSONError`` with the place and the text around it.
    public init(
        parsing bytes: some Sequence<UInt8>, options: JSONValue.ReadingOptions = JSONValue.ReadingOptions()
    ) throws(JSONError) {
        let reader = JSONReader(options: options)
        // The standard library's method does not preserve the error type of its closure.
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
    /// - Throws: ``JSONError`` with the place and the text around it.
    public init(
        parsing text: some StringProtocol, options: JSONValue.ReadingOptions = JSONValue.ReadingOptions()
    ) throws(JSONError) {
        try self.init(parsing: text.utf8, options: options)
    }
}

/// The parser's front end. It limits the size and the runs of combining marks (``CombiningRuns``), transcodes to UTF-8,
/// and adds the place and the text around it to errors.
struct JSONReader {
    let options: JSONValue.ReadingOptions

    func value(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
        guard bytes.count <= options.maximumSize else {
            let message = "the text has \(bytes.count) bytes, more than the maximumSize of \(options.maximumSize) bytes"
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
            // If transcoding stopped at invalid Unicode, an unexpected end of the text is only a consequence of that.
            let isAtEnd = error.kind == .unexpectedEnd || error.kind == .empty
            let fault = !isValid && isAtEnd ? Self.invalidUnicode(text.count) : error
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
    /// The variants and limits of an accepted JSON text.
    ///
    /// The grammar is always that of RFC 8259: no comments, trailing commas, unquoted keys, NaN or leading zeros.
    public struct ReadingOptions: Sendable, Hashable {
        /// The treatment of a key that occurs twice in one object, which RFC 8259, 4 leaves open.
        @nonexhaustive public enum DuplicateKeys: String, Sendable, Hashable {
            /// The last value counts, at the position of the first, as in `JSONSerialization` and in browsers.
            case lastWins
            /// The first value counts, as in `JSONDecoder`.
            case firstWins
            /// The text is rejected with ``JSONError/Kind-swift.struct/duplicateKey``. This is for callers that must
            /// not read a text differently from other readers.
            case error
        }

        /// The treatment of a key that occurs twice in one object. Default: the last value counts.
        public var duplicateKeys = DuplicateKeys.lastWins

        /// True if the text may be a single string, number, Boolean or null, as RFC 8259 allows. Default true.
        ///
        /// `JSONSerialization`, and so AFNetworking, rejects such texts by default.
        public var allowsFragments = true

        /// The maximum nesting of arrays and objects. Default 200. Values above ``depthLimit`` count as ``depthLimit``.
        ///
        /// A value is freed by recursion, on the thread that releases it last. Freeing cannot report an error, so the
        /// stack must suffice: 200 levels take less than 64 KiB, and each further level takes up to 250 bytes. Some
        /// threads have only 128 KiB.
        public var maximumDepth = 200

        /// The maximum size of the text in bytes. Default 64 MiB.
        ///
        /// The parsed value of most texts takes about five times the size of the text in memory. It never takes more
        /// than thirty times this size; an array of only `[0],[0],…` comes close to that.
        public var maximumSize = 64 << 20

        /// The upper bound of ``maximumDepth``. Freeing a value of this depth takes 512 KiB of stack.
        public static let depthLimit = 2048

        /// Creates the default options.
        public init() {}

        /// Creates options from the values of the properties.
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
