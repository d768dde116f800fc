package import FoundationEssentials

/// A validation pass before `JSONDecoder`, which ends the process on some bytes instead of throwing: on 513
/// brackets when the last is the last byte, and, where it allows JSON5, on invalid UTF-8 and on numbers such as `1e+`.
///
/// It also refuses strings that take the decoder hours to hash; see ``CombiningRuns``. Unless JSON5 is allowed, it makes
/// the decoder accept the same texts as ``JSONValue``; see ``GrammarCheck``.
///
/// Nothing else in Sockeye may call that decoder on bytes from outside; see `JSONDecoder.decode(_:checking:)`.
package struct JSONGuard: Sendable {
    /// How many arrays and objects may stand inside each other, at most: below the 512 of Foundation, by more than the
    /// level that `assumesTopLevelDictionary` adds.
    ///
    /// Where the thread's stack is small it is less: up to ``unconditionalDepth`` is always read, more only with
    /// ``stackPerLevel`` for each.
    package static let maximumDepth = 500
    /// The decoder takes 0.4 KiB a level, and types that hold themselves 0.7 KiB more: 32 levels make 64 KiB with what it
    /// takes to begin, which the 128 KiB of musl's threads have.
    package static let unconditionalDepth = 32
    /// Twice what a level takes, since types may do more than call the decoder.
    private static let stackPerLevel = 2 << 10
    private static let reservedStack = 24 << 10

    private let allowsJSON5: Bool
    private let lacksBraces: Bool

    /// - Parameter lacksBraces: Whether the braces around the whole may be missing.
    package init(allowsJSON5: Bool = false, lacksBraces: Bool = false) {
        self.allowsJSON5 = allowsJSON5
        self.lacksBraces = lacksBraces
    }

    /// What a decoder with the same options may be given: the data itself, or its UTF-8 form.
    ///
    /// - Throws: ``JSONError`` with the place of the first error: in syntax, Unicode form, nesting or combining marks. Most
    ///   syntax errors of JSON5 are left to the decoder.
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
            // A zero in front would make the decoder take it for UTF-16 again, and see other brackets.
            guard isValid, JSONTextForm(detecting: text.span).isUTF8 else {
                throw JSONFault(.invalidUnicode, at: text.count, "the text is not valid UTF-16 or UTF-32")
            }
            return ended(try validated(Data(text), from: 0))
        } catch {
            let offset = form.originalOffset(of: error.offset, in: text)
            throw JSONError(error, at: offset, excerpt: JSONError.Excerpt(text.span, at: error.offset))
        }
    }

    /// The checked text. Blanks replace exponents that the decoder refuses although they are JSON.
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

    /// How many levels the rest of this thread's stack has room for: ``unconditionalDepth`` to ``maximumDepth``.
    static func depthOfThread() -> Int {
        let room = max(0, StackSpace.remaining - reservedStack) / stackPerLevel
        return min(maximumDepth, max(room, unconditionalDepth))
    }

    static func tooDeep(at place: Int, limit: Int) -> JSONFault {
        let reason = limit < maximumDepth ? ", for which this thread has stack" : ""
        return JSONFault(.tooDeep, at: place, "arrays and objects are nested deeper than \(limit)\(reason)")
    }

    private func validate(_ text: Span<UInt8>) throws(JSONFault) {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: text)
        } catch {
            throw JSONFault(.invalidUnicode, at: error.byteOffsets.lowerBound, "the text is not valid UTF-8")
        }
    }

    /// With a blank behind it where a number may be the last of a text without brackets: the decoder reads numbers up to a
    /// byte that belongs to none, which may then be one of whatever lies behind the data in memory, and JSON5 traps at that.
    private func ended(_ data: Data) -> Data {
        guard lacksBraces || allowsJSON5, let last = data.last, last != UInt8(ascii: "}"), last != UInt8(ascii: "]")
        else {
            return data
        }
        return data + [UInt8(ascii: "\n")]
    }
}

extension JSONDecoder {
    /// Decodes bytes from outside, which ``JSONGuard`` looks at first.
    ///
    /// - Throws: What the decoder throws. What the guard refuses is `DecodingError.dataCorrupted` without a path, with the
    ///   ``JSONError`` as its cause.
    package func decode<Value: Decodable>(_ type: Value.Type, checking data: Data) throws -> Value {
        try decode(type, from: checked(data))
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
