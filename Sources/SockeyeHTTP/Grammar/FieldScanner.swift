import SockeyeCore

/// A cursor over a field value for the grammar that most fields share (RFC 9110 5.6): OWS, tokens, quoted strings,
/// parameters and lists. Every delimiter is ASCII, so no UTF-8 character is ever split.
///
/// Widespread programs write some fields in other ways. The parsers of these fields pass a ``Tolerance``.
package struct FieldScanner: ~Escapable {
    /// The deviations from RFC 9110 5.6 that a field's parser accepts.
    package struct Tolerance: OptionSet, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// CR and LF count as blanks: the "HTTP whitespace" of WHATWG Fetch 2.2, used by MIME Sniffing 4.4 for media
        /// types.
        package static let lineEndsAsBlanks = Tolerance(rawValue: 1)
        /// OWS is allowed around the `=` of a parameter. RFC 9110 5.6.6 does not allow it, but servers write it in
        /// Content-Disposition.
        package static let blanksAroundEquals = Tolerance(rawValue: 2)
        /// An unclosed quoted string ends with the value (WHATWG Fetch 2.2, "collect an HTTP quoted string").
        package static let unclosedQuotes = Tolerance(rawValue: 4)
        /// A backslash escapes only a quote that cannot be the closing quote, because neither `;` nor the end follows
        /// it. Every other backslash is an ordinary character. In a form part's `name` and `filename`, browsers write a
        /// backslash as it is and a quote as `%22` (HTML 4.10.21.8). Senders that follow RFC 2183 write `\"` for a
        /// quote and `\\` for a backslash; the latter is read as two backslashes.
        package static let bareBackslashes = Tolerance(rawValue: 8)
    }

    /// A parameter (RFC 9110 5.6.6): the name as written, the value without quotes and escapes.
    package struct Parameter {
        package let name: Range<Int>
        package let value: String
        package let isQuoted: Bool
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
    private static let comma = UInt8(ascii: ",")
    private static let semicolon = UInt8(ascii: ";")

    private let text: Span<UInt8>
    private let tolerance: Tolerance
    /// The position is at most ``end``, and ``end`` is at most the length of the text. So bytes before ``end`` are read
    /// without a bounds check.
    package private(set) var position = 0
    private var end: Int

    @inline(__always)
    @_lifetime(copy text)
    package init(_ text: Span<UInt8>, _ tolerance: Tolerance = []) {
        self.text = text
        self.tolerance = tolerance
        end = text.count
    }

    /// Returns a scanner of a part of the value.
    @_lifetime(copy self)
    package func subscanner(_ range: Range<Int>) -> FieldScanner {
        FieldScanner(text.extracting(range), tolerance)
    }

    // MARK: Bytes

    @inline(__always)
    package var isAtEnd: Bool { position == end }

    @inline(__always)
    package var peek: UInt8? { position < end ? unsafe text[unchecked: position] : nil }

    @inline(__always)
    private mutating func next() -> UInt8? {
        guard let byte = peek else { return nil }
        position &+= 1
        return byte
    }

    /// Skips a byte; false if another byte or the end follows.
    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func skip(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position &+= 1
        return true
    }

    /// Skips letters, ignoring case; false if anything else follows.
    @_lifetime(self: copy self)
    package mutating func skip(letters lowercase: StaticString) -> Bool {
        let count = lowercase.utf8CodeUnitCount
        guard count <= end - position, equals(position..<position + count, lowercase) else { return false }
        position += count
        return true
    }

    @inline(__always)
    @_lifetime(self: copy self)
    package mutating func take(_ matches: (UInt8) -> Bool) -> Range<Int> {
        let start = position
        while position < end, unsafe matches(text[unchecked: position]) { position &+= 1 }
        return start..<position
    }

    /// Moves back to an earlier position.
    @_lifetime(self: copy self)
    package mutating func rewind(to position: Int) {
        precondition(position <= self.position, "the scanner can only be moved back")
        self.position = position
    }

    // MARK: OWS (5.6.3)

    @inline(__always)
    private static func isBlank(_ byte: UInt8, _ tolerance: Tolerance) -> Bool {
        ByteClass.isBlank(byte)
            || (byte == ByteClass.lineFeed || byte == ByteClass.carriageReturn) && tolerance.contains(.lineEndsAsBlanks)
    }

    /// Skips blanks; returns true if there were any.
    @discardableResult
    package mutating func skipBlanks() -> Bool {
        let tolerance = tolerance
        return !take { Self.isBlank($0, tolerance) }.isEmpty
    }

    /// Removes blanks from both ends of the remaining value.
    package mutating func trim() {
        skipBlanks()
        end = trimmedEnd(position..<end).upperBound
    }

    /// Returns a range without the blanks at its end.
    package func trimmedEnd(_ range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound, Self.isBlank(text[end - 1], tolerance) { end -= 1 }
        return range.lowerBound..<end
    }

    // MARK: Tokens (5.6.2, 11.2)

    /// Takes a token; nil if none follows.
    package mutating func token() -> Range<Int>? {
        let range = take(ByteClass.isToken)
        return range.isEmpty ? nil : range
    }

    /// Takes a `token68`, and the blanks after it, if a comma or the end follows. Otherwise takes nothing and returns
    /// nil.
    package mutating func token68() -> Range<Int>? {
        let start = position
        guard !take(ByteClass.isToken68).isEmpty else { return nil }
        _ = take { $0 == UInt8(ascii: "=") }
        let range = start..<position
        skipBlanks()
        if isAtEnd || peek == Self.comma { return range }
        position = start
        return nil
    }

    /// Takes digits as a number; nil if no digit follows, and for a number above ``PeerNumber/largest``.
    package mutating func number() -> Int? { number(take(ByteClass.isDigit)) }

    /// Converts a range of digits to a number; nil for anything else, and for a number above ``PeerNumber/largest``.
    package func number(_ range: Range<Int>) -> Int? {
        guard !range.isEmpty else { return nil }
        var number = 0
        for index in range {
            guard case let digit = text[index] &- 0x30, digit < 10 else { return nil }
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = product.addingReportingOverflow(Int(digit))
            guard !isTooLarge, !overflows, sum <= PeerNumber.largest else { return nil }
            number = sum
        }
        return number
    }

    // MARK: Lists (5.6.1)

    /// Takes the next member of a list, without the blanks around it; nil after the last member. Empty members are
    /// skipped.
    ///
    /// Only for lists without quoted strings; see ``quotedMember()``.
    package mutating func member() -> Range<Int>? {
        while position < end {
            while position < end, unsafe ByteClass.isBlank(text[unchecked: position]) { position &+= 1 }
            let start = position
            while position < end, unsafe text[unchecked: position] != Self.comma { position &+= 1 }
            var stop = position
            while stop > start, unsafe ByteClass.isBlank(text[unchecked: stop &- 1]) { stop &-= 1 }
            if position < end { position &+= 1 }
            if stop > start { return start..<stop }
        }
        return nil
    }

    /// Takes the next member of a list, without the blanks around it; nil after the last member. Empty members are
    /// skipped. A comma inside a quoted string does not end the member.
    package mutating func quotedMember() -> Range<Int>? {
        while !isAtEnd {
            skipBlanks()
            let start = position
            skipMember()
            let range = trimmedEnd(start..<position)
            _ = skip(Self.comma)
            if !range.isEmpty { return range }
        }
        return nil
    }

    /// Skips to the comma that ends a member, or to the end.
    package mutating func skipMember() {
        while let byte = peek, byte != Self.comma {
            position += 1
            guard byte == Self.quote else { continue }
            while let byte = next(), byte != Self.quote {
                if byte == Self.backslash { _ = next() }
            }
        }
    }

    /// Skips all commas and blanks that follow, because list members may be empty.
    package mutating func skipSeparators() {
        while skipBlanks() || skip(Self.comma) {}
    }

    // MARK: Quoted strings (5.6.4) and parameters (5.6.6)

    /// Takes a token, or the content of a quoted string; nil if neither follows. An unclosed string also gives nil
    /// unless tolerated.
    package mutating func value() -> String? {
        if peek == Self.quote { return quotedString() }
        guard let range = token() else { return nil }
        return string(range)
    }

    /// Takes the content of a quoted string; nil if no quoted string begins here. An unclosed string also gives nil
    /// unless tolerated.
    package mutating func quotedString() -> String? {
        let start = position
        guard skip(Self.quote) else { return nil }
        let plain = take { $0 != Self.quote && $0 != Self.backslash }
        if skip(Self.quote) { return string(plain) }
        var output: [UInt8] = []
        for index in plain { output.append(text[index]) }
        while let byte = next() {
            if byte == Self.quote { return String(decoding: output, as: UTF8.self) }
            // A backslash at the very end is an ordinary character.
            output.append(byte == Self.backslash && isEscape ? next() ?? byte : byte)
        }
        guard tolerance.contains(.unclosedQuotes) else {
            position = start
            return nil
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// True if the backslash just taken escapes the next character.
    private var isEscape: Bool {
        guard tolerance.contains(.bareBackslashes) else { return true }
        guard peek == Self.quote else { return false }
        var rest = self
        _ = rest.skip(Self.quote)
        rest.skipBlanks()
        return !rest.isAtEnd && rest.peek != Self.semicolon
    }

    /// Takes a parameter. Returns nil if no `=` comes before the next semicolon, or if its quoted string is unclosed
    /// and that is not tolerated. In all cases the scanner is then at a semicolon or at the end.
    package mutating func parameter() -> Parameter? {
        skipBlanks()
        var name = take { $0 != Self.semicolon && $0 != UInt8(ascii: "=") }
        if tolerance.contains(.blanksAroundEquals) { name = trimmedEnd(name) }
        guard skip(UInt8(ascii: "=")) else { return nil }
        if tolerance.contains(.blanksAroundEquals) { skipBlanks() }
        guard peek == Self.quote else {
            let value = trimmedEnd(take { $0 != Self.semicolon })
            return Parameter(name: name, value: string(value), isQuoted: false)
        }
        let value = quotedString()
        // Text after the closing quote is ignored.
        _ = take { $0 != Self.semicolon }
        return value.map { Parameter(name: name, value: $0, isQuoted: true) }
    }
}

extension FieldScanner {
    package func allSatisfy(_ range: Range<Int>, _ predicate: (UInt8) -> Bool) -> Bool {
        for index in range where !predicate(text[index]) { return false }
        return true
    }

    /// Returns true if a range equals `lowercase`, ignoring the case of letters. The requirements of
    /// ``ByteScan/equals(_:count:_:)`` apply.
    @inline(__always)
    package func equals(_ range: Range<Int>, _ lowercase: StaticString) -> Bool {
        unsafe text.extracting(range).withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return false }
            return unsafe ByteScan.equals(UnsafeRawPointer(base), count: bytes.count, lowercase)
        }
    }

    package func string(_ range: Range<Int>) -> String {
        unsafe text.extracting(range).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the text of a range with its ASCII letters in lower case.
    package func lowercased(_ range: Range<Int>) -> String {
        unsafe String(unsafeUninitializedCapacity: range.count) { output in
            for (place, index) in range.enumerated() { unsafe output[place] = ByteClass.lowercased(text[index]) }
            return range.count
        }
    }
}

/// Writes values in the form that ``FieldScanner`` parses.
enum FieldText {
    /// Returns a quoted string (RFC 9110 5.6.4). Escapes bytes, not characters: a quote with a combining mark after it
    /// is another Swift character, but still ends the string for its recipient.
    static func quoted(_ text: String) -> String {
        let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        guard text.utf8.contains(where: { $0 == quote || $0 == backslash }) else { return "\"\(text)\"" }
        var output = [quote]
        for byte in text.utf8 {
            if byte == quote || byte == backslash { output.append(backslash) }
            output.append(byte)
        }
        output.append(quote)
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the value of a parameter (RFC 9110 5.6.6): in quotes only if it is not a token.
    static func parameterValue(_ text: String) -> String {
        !text.isEmpty && text.utf8.allSatisfy(ByteClass.isToken) ? text : quoted(text)
    }
}
