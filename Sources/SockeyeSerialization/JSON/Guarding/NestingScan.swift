/// A one-pass scanner for the nesting depth of JSON5, valid or not. ``GrammarCheck`` counts the depth of JSON.
///
/// In valid text the scanner finds the same tokens as every JSON5 decoder. In invalid text the depth matters only up to
/// the error, because a decoder stops there.
///
/// The scanner rejects an escape with missing digits. Foundation's decoder does not: it skips as many bytes as there
/// should be digits, even a backslash. If the scanner accepted such an escape, the decoder could find the end of the
/// string elsewhere than the scanner, and count other brackets.
struct NestingScan: ~Escapable {
    private let bytes: Span<UInt8>
    private let limit: Int
    private var depth = 0
    private var position: Int

    /// Returns the position of the first bracket that opens a level beyond `limit`; nil if no bracket does.
    ///
    /// Skips a byte order mark, as the decoder does. Otherwise the scanner would read the mark and a number after it as
    /// one word, and would not check the number.
    static func excess(over limit: Int, in bytes: Span<UInt8>) throws(JSONFault) -> Int? {
        var scan = NestingScan(bytes, limit: limit, from: JSONTextForm(detecting: bytes).markLength)
        return try scan.excess()
    }

    @_lifetime(copy bytes)
    private init(_ bytes: Span<UInt8>, limit: Int, from start: Int) {
        self.bytes = bytes
        self.limit = limit
        position = start
    }

    private mutating func excess() throws(JSONFault) -> Int? {
        while position < bytes.count {
            let byte = unsafe bytes[unchecked: position]
            position &+= 1
            if byte == UInt8(ascii: "\"") {
                try skipString(endingWith: byte)
            } else if byte | 0x20 == UInt8(ascii: "{") {
                depth &+= 1
                if depth > limit { return position &- 1 }
            } else if byte | 0x20 == UInt8(ascii: "}") {
                if depth > 0 { depth &-= 1 }
            } else {
                try skipOther(byte)
            }
        }
        return nil
    }

    /// Skips the rest of a string in single quotes, a comment, a number or a word if `byte` starts one. Any other byte
    /// is skipped alone.
    @_lifetime(self: copy self)
    private mutating func skipOther(_ byte: UInt8) throws(JSONFault) {
        switch byte {
        case UInt8(ascii: "'"): try skipString(endingWith: byte)
        case UInt8(ascii: "/"): skipComment()
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            position -= 1
            var number = JSON5Number(bytes, from: position)
            guard number.isValid() else {
                throw JSONFault(.invalidNumber, at: position, "a number is not valid JSON5")
            }
            position = number.position
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"), UInt8(ascii: "\\"), 0x80...:
            // A word, such as `true` or a key without quotes. Digits in it do not begin a number.
            while position < bytes.count, JSON5Number.isWord(bytes[position]) { position += 1 }
        default: break
        }
    }

    @inline(__always)
    @_lifetime(self: copy self)
    private mutating func skipString(endingWith quote: UInt8) throws(JSONFault) {
        while position < bytes.count {
            let byte = unsafe bytes[unchecked: position]
            position &+= 1
            if byte == quote { return }
            if byte == UInt8(ascii: "\\") { try skipEscape() }
        }
    }

    /// Skips the rest of an escape. Throws if a digit of `\u` or `\x` is missing, except at the end of the text.
    @inline(never)
    private mutating func skipEscape() throws(JSONFault) {
        guard position < bytes.count else { return }
        let kind = bytes[position]
        position += 1
        let count = kind == UInt8(ascii: "u") ? 4 : kind == UInt8(ascii: "x") ? 2 : 0
        for _ in 0..<count {
            // A decoder cannot read past the end of the text either.
            guard position < bytes.count else { return }
            guard Self.isHexadecimal(bytes[position]) else {
                throw JSONFault(.invalidEscape, at: position, "an escape lacks its hexadecimal digits")
            }
            position += 1
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
    }

    /// Skips the rest of a comment of JSON5, if the slash begins one.
    @inline(never)
    private mutating func skipComment() {
        guard position < bytes.count else { return }
        switch bytes[position] {
        case UInt8(ascii: "/"):
            while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
        case UInt8(ascii: "*"):
            position += 1
            while position < bytes.count {
                position += 1
                guard position < bytes.count else { return }
                if bytes[position] == UInt8(ascii: "/"), bytes[position - 1] == UInt8(ascii: "*") {
                    position += 1
                    return
                }
            }
        default: break
        }
    }
}
