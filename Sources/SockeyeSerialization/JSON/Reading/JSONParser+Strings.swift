extension JSONParser {
    /// The string whose opening quote comes next.
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
            try keep(start..<position, isASCII: isASCII)
            guard position < bytes.count else { throw unexpectedEnd("inside a string") }
        }
        position += 1
        return String(decoding: scratch, as: UTF8.self)
    }

    /// Steps to the next byte that does not stand for itself in a string; whether all before it were ASCII.
    private mutating func skipPlain() -> Bool {
        var all: UInt8 = 0
        while position < bytes.count {
            let byte = bytes[position]
            guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
            all |= byte
            position += 1
        }
        return all < 0x80
    }

    /// Bytes that were validated, as text.
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

    private mutating func keep(_ range: Range<Int>, isASCII: Bool) throws(JSONFault) {
        if !isASCII { try validate(range) }
        unsafe bytes.extracting(range).withUnsafeBufferPointer { unsafe scratch.append(contentsOf: $0) }
    }

    /// Reads what `skipPlain()` stopped at, if it is an escape.
    private mutating func escape() throws(JSONFault) {
        guard bytes[position] == UInt8(ascii: "\\") else {
            throw JSONFault(.controlCharacter, at: position, "a control character stands in a string unescaped")
        }
        guard position + 1 < bytes.count else { throw unexpectedEnd("inside a string", at: bytes.count) }
        let byte: UInt8
        switch bytes[position + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte = bytes[position + 1]
        case UInt8(ascii: "b"): byte = 0x08
        case UInt8(ascii: "f"): byte = 0x0C
        case UInt8(ascii: "n"): byte = 0x0A
        case UInt8(ascii: "r"): byte = 0x0D
        case UInt8(ascii: "t"): byte = 0x09
        case UInt8(ascii: "u"):
            let scalar = try unicodeEscape()
            scratch.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            return
        default: throw JSONFault(.invalidEscape, at: position, "a backslash is followed by no escape that JSON has")
        }
        scratch.append(byte)
        position += 2
    }

    /// The character of one `\uXXXX`, or of two that are a surrogate pair.
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
        JSONFault(.loneSurrogate, at: offset, "an escape is half of a character whose other half is missing")
    }

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
