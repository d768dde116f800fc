/// A check of a complete text against RFC 8259, using the functions of ``JSONParser`` that skip tokens.
///
/// `JSONDecoder` does not check numbers and strings that the decoded type skips, and accepts a comma after the last
/// element of an array or object. This check runs before the decoder, so that decoding to a Swift type and parsing to
/// a ``JSONValue`` accept the same texts.
struct GrammarCheck: ~Escapable {
    private var parser: JSONParser
    private let lacksBraces: Bool
    /// The ranges of valid exponents that `JSONDecoder` rejects after a zero, such as the `e1` of `0e1`. The caller
    /// replaces them with blanks, which does not change the numbers.
    private(set) var exponentsOfZero: [Range<Int>] = []
    private var depth = 0
    /// The depth at which the check throws; raised once if a text is nested deeper than
    /// ``JSONGuard/unconditionalDepth``.
    private var limit = JSONGuard.unconditionalDepth
    /// The kinds of the innermost open containers, at most 64. A bit is 1 for an object; bit 0 is for the innermost
    /// container.
    private var kinds: UInt64 = 0
    /// The kinds of the open containers further out, 64 in each element. Stays empty, and so needs no allocation, for
    /// texts of at most 64 levels.
    private var outerKinds: [UInt64] = []

    /// - Parameters:
    ///   - start: The position after the byte order mark; 0 without a mark.
    ///   - lacksBraces: True if the outermost braces may be missing.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, from start: Int, lacksBraces: Bool) {
        parser = JSONParser(bytes, options: JSONValue.ReadingOptions())
        parser.position = start
        self.lacksBraces = lacksBraces
    }

    /// Checks the text, which must be UTF-8.
    ///
    /// - Throws: ``JSONFault`` at the first byte that RFC 8259 does not allow, or at a bracket that is nested too deep.
    mutating func run() throws(JSONFault) {
        parser.skipBlanks()
        let isOpen = lacksBraces && (parser.isAtEnd || parser.bytes[parser.position] != UInt8(ascii: "{"))
        // If the outermost braces may be missing, the decoder treats an empty text as an empty object.
        if isOpen, parser.isAtEnd { return }
        guard !parser.isAtEnd else {
            throw JSONFault(.empty, at: parser.position, "the text is empty (\(parser.position) blank bytes)")
        }
        if isOpen {
            push(isObject: true)
            try skipKey()
        }
        repeat {
            while try skipScalarOrOpening() {}
        } while try skipToNextValue(isOpen: isOpen)
        parser.skipBlanks()
        guard parser.isAtEnd else {
            throw JSONFault(.trailingContent, at: parser.position, "unexpected content after the value")
        }
    }

    /// Moves past the scalar or empty container that starts here, or to the first value of a container.
    ///
    /// - Returns: True if a container was opened.
    @inline(__always)
    private mutating func skipScalarOrOpening() throws(JSONFault) -> Bool {
        guard parser.position < parser.bytes.count else { throw parser.unexpectedEnd("where a value should be") }
        switch parser.bytes[parser.position] {
        case UInt8(ascii: "\""): try parser.skipString()
        case UInt8(ascii: "["): return try skipOpening(isObject: false, end: UInt8(ascii: "]"))
        case UInt8(ascii: "{"):
            guard try skipOpening(isObject: true, end: UInt8(ascii: "}")) else { return false }
            try skipKey()
            return true
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber()
        case UInt8(ascii: "t"): _ = try parser.literal("true", .null)
        case UInt8(ascii: "f"): _ = try parser.literal("false", .null)
        case UInt8(ascii: "n"): _ = try parser.literal("null", .null)
        default: throw parser.unexpected("a value")
        }
        return false
    }

    /// Moves past the ends of containers to the next value, including the comma and the key before that value.
    ///
    /// - Returns: True if another value must follow; false at the end of the outermost value.
    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func skipToNextValue(isOpen: Bool) throws(JSONFault) -> Bool {
        while depth > 0 {
            let isObject = kinds & 1 == 1
            // An object without braces ends with the text.
            let endsWithText = isOpen && depth == 1
            parser.skipBlanks()
            guard parser.position < parser.bytes.count else {
                if endsWithText { return false }
                throw parser.unexpectedEnd(isObject ? "inside an object" : "inside an array")
            }
            let byte = parser.bytes[parser.position]
            if byte == UInt8(ascii: ",") {
                parser.position += 1
                parser.skipBlanks()
                if isObject { try skipKey() }
                return true
            }
            guard !endsWithText, byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                throw parser.unexpected("',' or '\(isObject ? "}" : "]")'")
            }
            parser.position += 1
            pop()
        }
        return false
    }

    /// Moves past an opening bracket, and past the closing bracket `end` if the container is empty.
    ///
    /// - Returns: False if the container is empty.
    @_lifetime(self: copy self)
    private mutating func skipOpening(isObject: Bool, end: UInt8) throws(JSONFault) -> Bool {
        if depth >= limit { try raiseLimit() }
        parser.position += 1
        parser.skipBlanks()
        if parser.position < parser.bytes.count, parser.bytes[parser.position] == end {
            parser.position += 1
            return false
        }
        push(isObject: isObject)
        return true
    }

    /// Moves past a key and its colon, to the value.
    private mutating func skipKey() throws(JSONFault) {
        guard parser.position < parser.bytes.count else { throw parser.unexpectedEnd("where a key should be") }
        guard parser.bytes[parser.position] == UInt8(ascii: "\"") else { throw parser.unexpected("a key in quotes") }
        try parser.skipString()
        parser.skipBlanks()
        guard parser.position < parser.bytes.count else { throw parser.unexpectedEnd("after a key") }
        guard parser.bytes[parser.position] == UInt8(ascii: ":") else { throw parser.unexpected("':'") }
        parser.position += 1
        parser.skipBlanks()
    }

    private mutating func skipNumber() throws(JSONFault) {
        let start = parser.position
        try parser.skipNumber()
        // The decoder accepts the exponent if the zero has a sign or a fraction, or if the exponent has a sign.
        if parser.position - start > 2, parser.bytes[start] == UInt8(ascii: "0"),
            parser.bytes[start + 1] | 0x20 == UInt8(ascii: "e"), parser.bytes[start + 2] &- 0x30 < 10
        {
            exponentsOfZero.append(start + 1..<parser.position)
        }
    }

    /// Raises the limit to the depth that fits on the thread's stack; finding it takes a system call.
    @inline(never)
    private mutating func raiseLimit() throws(JSONFault) {
        limit = max(limit, JSONGuard.depthOfThread())
        guard depth >= limit else { return }
        throw JSONGuard.tooDeep(at: parser.position, limit: limit)
    }

    @_lifetime(self: copy self)
    private mutating func push(isObject: Bool) {
        if depth > 0, depth & 63 == 0 {
            outerKinds.append(kinds)
            kinds = 0
        }
        kinds = kinds &<< 1 | (isObject ? 1 : 0)
        depth &+= 1
    }

    private mutating func pop() {
        depth &-= 1
        kinds &>>= 1
        if depth > 0, depth & 63 == 0 { kinds = outerKinds.removeLast() }
    }
}
