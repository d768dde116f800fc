package import SockeyeEssentials

/// A validation pass before `JSONDecoder`, which crashes on some bytes instead of throwing.
///
/// The decoder crashes on a text that ends with the 513th nested opening bracket. With JSON5 it also crashes on invalid
/// UTF-8 and on numbers such as `1e+`. The guard also rejects strings that take the decoder hours to hash; see
/// ``CombiningRuns``. Unless JSON5 is allowed, the guard makes the decoder accept the same texts as ``JSONValue``; see
/// ``GrammarCheck``.
///
/// All other code in Sockeye must decode external bytes through this guard; see `JSONDecoder.decode(_:checking:)`.
package struct JSONGuard: Sendable {
    /// The maximum nesting of arrays and objects. It is below Foundation's limit of 512, with room for the level that
    /// `assumesTopLevelDictionary` adds.
    ///
    /// The limit is lower on a thread with a small stack: one level for each ``stackPerLevel`` bytes of free stack, but
    /// at least ``unconditionalDepth`` levels.
    package static let maximumDepth = 500
    /// The nesting that is always accepted. The decoder takes 0.4 KiB of stack per level, and recursive types 0.7 KiB
    /// more. With the stack that the decoder takes before the first level, 32 levels take 64 KiB, which fits into the
    /// 128 KiB of musl's threads.
    package static let unconditionalDepth = 32
    /// The stack in bytes that a level may take. It is about twice the measured stack, since the `init(from:)` of a
    /// type may do more than call the decoder.
    private static let stackPerLevel = 2 << 10
    /// The part of the free stack in bytes that is not available to levels.
    private static let reservedStack = 24 << 10

    private let allowsJSON5: Bool
    private let lacksBraces: Bool

    /// - Parameters:
    ///   - allowsJSON5: True if the decoder has this option.
    ///   - lacksBraces: True if the outermost braces may be missing (`assumesTopLevelDictionary`).
    package init(allowsJSON5: Bool = false, lacksBraces: Bool = false) {
        self.allowsJSON5 = allowsJSON5
        self.lacksBraces = lacksBraces
    }

    /// Returns data that is safe for a decoder with the same options: the data itself, or its UTF-8 form. The decoder
    /// rejects some zeros with an exponent, such as `0e1`, although they are valid. Unless JSON5 is allowed, blanks
    /// replace such exponents. If the text may end with a number, a line feed is appended.
    ///
    /// - Throws: ``JSONError`` if a check fails, with the place of the first error that this check finds. The checks
    ///   run in this order: Unicode of the whole text (UTF-16, UTF-32 and JSON5 only), combining marks, then syntax and
    ///   nesting. Without JSON5, the syntax check includes the UTF-8 of strings. Most syntax errors of JSON5 are left
    ///   to the decoder.
    package func checked(_ data: Data) throws(JSONError) -> Data {
        let form = JSONTextForm(detecting: data.span)
        guard !form.isUTF8 else {
            do throws(JSONFault) {
                return ended(try validated(data, from: form.markLength))
            } catch {
                throw JSONError(error, at: error.offset, excerpt: JSONError.Excerpt(data.span, at: error.offset))
            }
        }
        let (text, isValid) = form.transcoded(data.span)
        do throws(JSONFault) {
            // If the UTF-8 form has NULs among its first four bytes, the decoder could take it for UTF-16 or UTF-32.
            // The decoder would then see other brackets than those that this guard counts.
            guard isValid, JSONTextForm(detecting: text.span).isUTF8 else {
                throw JSONFault(.invalidUnicode, at: text.count, "the text is not valid UTF-16 or UTF-32")
            }
            return ended(try validated(Data(text), from: 0))
        } catch {
            let offset = form.originalOffset(of: error.offset, in: text)
            throw JSONError(error, at: offset, excerpt: JSONError.Excerpt(text.span, at: error.offset))
        }
    }

    /// Checks a text in UTF-8 and returns it. Without JSON5, blanks replace the exponents of zeros.
    private func validated(_ text: Data, from start: Int) throws(JSONFault) -> Data {
        guard !allowsJSON5 else {
            try checkJSON5(text.span)
            return text
        }
        try checkMarks(text.span)
        var check = GrammarCheck(text.span, from: start, lacksBraces: lacksBraces)
        try check.run()
        let exponents = check.exponentsOfZero
        guard !exponents.isEmpty else { return text }
        var bytes = Array(text)
        for exponent in exponents {
            for index in exponent { bytes[index] = UInt8(ascii: " ") }
        }
        return Data(bytes)
    }

    private func checkJSON5(_ text: Span<UInt8>) throws(JSONFault) {
        try validate(text)
        try checkMarks(text)
        guard try NestingScan.excess(over: Self.unconditionalDepth, in: text) != nil else { return }
        let limit = Self.depthOfThread()
        guard let place = try NestingScan.excess(over: limit, in: text) else { return }
        throw Self.tooDeep(at: place, limit: limit)
    }

    private func checkMarks(_ text: Span<UInt8>) throws(JSONFault) {
        if let place = CombiningRuns.excess(in: text, readsEscapes: true) { throw .tooManyMarks(at: place) }
    }

    /// Returns the number of levels that the remaining stack allows: from ``unconditionalDepth`` to ``maximumDepth``.
    static func depthOfThread() -> Int {
        let room = max(0, StackSpace.remaining - reservedStack) / stackPerLevel
        return min(maximumDepth, max(room, unconditionalDepth))
    }

    static func tooDeep(at place: Int, limit: Int) -> JSONFault {
        let reason = limit < maximumDepth ? ", the limit of this thread's stack" : ""
        return JSONFault(.tooDeep, at: place, "arrays and objects are nested deeper than \(limit) levels\(reason)")
    }

    private func validate(_ text: Span<UInt8>) throws(JSONFault) {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: text)
        } catch {
            throw JSONFault(.invalidUnicode, at: error.byteOffsets.lowerBound, "the text is not valid UTF-8")
        }
    }

    /// Appends a line feed if the text may end with a number. The decoder reads a number up to a byte that cannot
    /// belong to the number. If the data ends before such a byte, the decoder reads beyond the data, and in JSON5 mode
    /// it traps on some bytes there. If neither JSON5 nor missing braces are allowed, only a text that is a single
    /// number ends with a number. The decoder copies such a text itself, with a NUL at its end.
    private func ended(_ data: Data) -> Data {
        guard lacksBraces || allowsJSON5, let last = data.last, last != UInt8(ascii: "}"), last != UInt8(ascii: "]")
        else {
            return data
        }
        return data + [UInt8(ascii: "\n")]
    }
}

extension JSONDecoder {
    /// Decodes external bytes after a check by ``JSONGuard``.
    ///
    /// - Throws: The errors of the decoder. Bytes that the guard rejects throw `DecodingError.dataCorrupted` without a
    ///   path, with the ``JSONError`` as its cause.
    package func decode<Value: Decodable>(_ type: Value.Type, checking data: Data) throws -> Value {
        let text = try checked(data)
        if type == JSONValue.self, let value = dynamicValue(text) as? Value { return value }
        return try CodingWalk.start { try decode(type, from: text) }
    }

    /// Makes a ``JSONValue`` with that type's parser instead of the decoder, in linear time. The decoder can take
    /// quadratic time to make one; see ``CodingWalk``. If a key occurs twice, the first value counts, as when the
    /// decoder reads other types. Nil if options of this decoder could change the value, or if the text cannot be
    /// parsed; the decoder then decodes the text.
    private func dynamicValue(_ text: Data) -> JSONValue? {
        guard Swift.type(of: self) == JSONDecoder.self, case .useDefaultKeys = keyDecodingStrategy, !allowsJSON5,
            !assumesTopLevelDictionary
        else { return nil }
        let options = JSONValue.ReadingOptions(
            duplicateKeys: .firstWins, maximumDepth: JSONGuard.maximumDepth, maximumSize: text.count)
        return try? JSONValue(parsing: text, options: options)
    }

    private func checked(_ data: Data) throws -> Data {
        do throws(JSONError) {
            return try JSONGuard(allowsJSON5: allowsJSON5, lacksBraces: assumesTopLevelDictionary).checked(data)
        } catch {
            let place = "line \(error.line), column \(error.column)"
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "\(error.message) (\(place))", underlyingError: error))
        }
    }
}
