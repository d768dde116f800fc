extension JSONParser {
    /// Reads the string that starts here with its opening quote.
    mutating func string() throws(JSONFault) -> String {
        position += 1
        let start = position
        let isASCII = skipPlain()
        guard position < bytes.count else { throw unexpectedEnd("inside a string") }
        if bytes[position] == UInt8(ascii: "\"") {
            if !isASCII { try validate(start..<position) }
            position += 1
            return text(start..<position - 1, isASCII: isASCII)
        }
        scratch.removeAll(keepingCapacity: true)
        try keep(start..<position, isASCII: isASCII)
        while bytes[position] != UInt8(ascii: "\"") {
            try escape()
            let start = position
            let isASCII = skipPlain()
            guard position < bytes.count else { throw unexpectedEnd("inside a string") }
            try keep(start..<position, isASCII: isASCII)
        }
        position += 1
        return String(decoding: scratch, as: UTF8.self)
    }

    /// Moves past the string that starts here, with the checks of ``string()``.
    mutating func skipString() throws(JSONFault) {
        position += 1
        while true {
            let start = position
            let isASCII = skipPlain()
            guard position < bytes.count else { throw unexpectedEnd("inside a string") }
            if !isASCII { try validate(start..<position) }
            if bytes[position] == UInt8(ascii: "\"") {
                position += 1
                return
            }
            _ = try escapedScalar()
        }
    }

    /// Moves to the next quote, backslash or control character, eight bytes at a time (SWAR).
    ///
    /// - Returns: True if all bytes that were passed are ASCII.
    private mutating func skipPlain() -> Bool {
        let raw = unsafe bytes.bytes
        var all: UInt64 = 0
        while position &+ 8 <= bytes.count {
            let word = unsafe UInt64(
                littleEndian: raw.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self))
            let quotes = word ^ 0x2222_2222_2222_2222
            let backslashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
            // In `ends`, each byte that ends the search has its top bit set. A borrow may also set the top bit of a
            // later byte, so only the lowest set bit is exact.
            let ends =
                ((quotes &- 0x0101_0101_0101_0101) & ~quotes | (backslashes &- 0x0101_0101_0101_0101) & ~backslashes
                    | (word &- 0x2020_2020_2020_2020) & ~word) & 0x8080_8080_8080_8080
            guard ends == 0 else {
                let length = ends.trailingZeroBitCount &>> 3
                position &+= length
                all |= word & (1 &<< UInt64(length &* 8) &- 1)
                return all & 0x8080_8080_8080_8080 == 0
            }
            all |= word
            position &+= 8
        }
        while position < bytes.count {
            let byte = bytes[position]
            guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
            all |= UInt64(byte)
            position += 1
        }
        return all & 0x8080_8080_8080_8080 == 0
    }

    /// Returns the bytes as text. The caller has checked that they are valid UTF-8.
    func text(_ range: Range<Int>, isASCII: Bool) -> String {
        unsafe String(copying: UTF8Span(unchecked: bytes.extracting(range), isKnownASCII: isASCII))
    }

    private func validate(_ range: Range<Int>) throws(JSONFault) {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.extracting(range))
        } catch {
            let offset = range.lowerBound + error.byteOffsets.lowerBound
            throw JSONFault(.invalidUnicode, at: offset, "a string is not valid UTF-8")
        }
    }

    /// Appends plain bytes to `scratch`. Bytes that are not all ASCII are validated first.
    @_lifetime(self: copy self)
    private mutating func keep(_ range: Range<Int>, isASCII: Bool) throws(JSONFault) {
        if !isASCII { try validate(range) }
        unsafe bytes.extracting(range).withUnsafeBufferPointer { unsafe scratch.append(contentsOf: $0) }
    }

    /// Reads the escape that starts here, and appends its character to `scratch`.
    private mutating func escape() throws(JSONFault) {
        let scalar = try escapedScalar()
        if scalar.isASCII {
            scratch.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
            scratch.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// Reads the escape that starts here. A control character, at which `skipPlain()` also stops, is an error.
    private mutating func escapedScalar() throws(JSONFault) -> Unicode.Scalar {
        guard bytes[position] == UInt8(ascii: "\\") else {
            throw JSONFault(.controlCharacter, at: position, "a string contains an unescaped control character")
        }
        guard position + 1 < bytes.count else { throw unexpectedEnd("inside a string", at: bytes.count) }
        let scalar: Unicode.Scalar
        switch bytes[position + 1] {
        case UInt8(ascii: "\""): scalar = "\""
        case UInt8(ascii: "\\"): scalar = "\\"
        case UInt8(ascii: "/"): scalar = "/"
        case UInt8(ascii: "b"): scalar = "\u{8}"
        case UInt8(ascii: "f"): scalar = "\u{C}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw JSONFault(.invalidEscape, at: position, "a backslash does not begin a valid escape")
        }
        position += 2
        return scalar
    }

    /// Reads the character of one `\uXXXX`, or of two that are a surrogate pair.
    private mutating func unicodeEscape() throws(JSONFault) -> Unicode.Scalar {
        let start = position
        let first = try codeUnit()
        if let scalar = Unicode.Scalar(first) { return scalar }
        for (index, byte) in [UInt8(ascii: "\\"), UInt8(ascii: "u")].enumerated() {
            guard first < 0xDC00 else { throw loneSurrogate(start) }
            guard position + index < bytes.count else { throw unexpectedEnd("inside a string", at: bytes.count) }
            guard bytes[position + index] == byte else { throw loneSurrogate(start) }
        }
        let second = try codeUnit()
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + UInt32(first - 0xD800) << 10 + UInt32(second - 0xDC00))
        else { throw loneSurrogate(start) }
        return scalar
    }

    private func loneSurrogate(_ offset: Int) -> JSONFault {
        JSONFault(.loneSurrogate, at: offset, "an escape is half of a surrogate pair whose other half is missing")
    }

    /// Reads the UTF-16 unit of the `\uXXXX` that starts here; the caller has checked the backslash and the `u`.
    private mutating func codeUnit() throws(JSONFault) -> UInt16 {
        var unit: UInt16 = 0
        for index in position + 2..<position + 6 {
            guard index < bytes.count else { throw unexpectedEnd("inside a string", at: bytes.count) }
            let byte = bytes[index]
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46, 0x61...0x66: digit = (byte | 0x20) - 0x61 + 10
            default: throw JSONFault(.invalidEscape, at: position, "\\u is not followed by four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
        }
        position += 6
        return unit
    }
}
