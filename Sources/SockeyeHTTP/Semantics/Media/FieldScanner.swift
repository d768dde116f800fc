/// Walks over the bytes of a field value. All that divides one is ASCII, so that no character is ever cut.
struct FieldScanner: ~Escapable {
    private let text: Span<UInt8>
    private(set) var position = 0
    private var end: Int

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) {
        self.text = text
        end = text.count
    }

    var peek: UInt8? { position < end ? text[position] : nil }
    var isAtEnd: Bool { position == end }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    @inline(__always)
    mutating func take(_ matches: (UInt8) -> Bool) -> Range<Int> {
        let start = position
        while position < end, matches(text[position]) { position += 1 }
        return start..<position
    }

    /// Takes blanks off both ends of what is left.
    mutating func trim(_ blank: (UInt8) -> Bool) {
        while position < end, blank(text[position]) { position += 1 }
        end = trimmedEnd(position..<end, blank).upperBound
    }

    func trimmedEnd(_ range: Range<Int>, _ blank: (UInt8) -> Bool) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound, blank(text[end - 1]) { end -= 1 }
        return range.lowerBound..<end
    }

    /// The content of a quoted string whose opening quote comes next; one that never ends, ends with the value
    /// (WHATWG Fetch, "collect an HTTP quoted string").
    mutating func quotedString() -> String {
        _ = skip(UInt8(ascii: "\""))
        let plain = take { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        guard peek == UInt8(ascii: "\\") else {
            _ = skip(UInt8(ascii: "\""))
            return string(plain)
        }
        var output: [UInt8] = []
        for index in plain { output.append(text[index]) }
        while let byte = next(), byte != UInt8(ascii: "\"") {
            // A backslash at the very end stands for itself.
            output.append(byte == UInt8(ascii: "\\") ? next() ?? byte : byte)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// As `quotedString()`, but without making anything of it.
    mutating func skipQuotedString() {
        _ = skip(UInt8(ascii: "\""))
        while let byte = next(), byte != UInt8(ascii: "\"") {
            if byte == UInt8(ascii: "\\") { _ = next() }
        }
    }

    private mutating func next() -> UInt8? {
        guard position < end else { return nil }
        position += 1
        return text[position - 1]
    }

    func allSatisfy(_ range: Range<Int>, _ predicate: (UInt8) -> Bool) -> Bool {
        for index in range where !predicate(text[index]) { return false }
        return true
    }

    func string(_ range: Range<Int>) -> String {
        unsafe text.extracting(range).withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }

    /// Text whose ASCII letters are in lower case.
    func lowercased(_ range: Range<Int>) -> String {
        unsafe String(unsafeUninitializedCapacity: range.count) { output in
            for (place, index) in range.enumerated() { unsafe output[place] = text[index].lowercased }
            return range.count
        }
    }
}

extension UInt8 {
    /// The same letter in lower case; what is no ASCII letter stays.
    @inline(__always)
    var lowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}
