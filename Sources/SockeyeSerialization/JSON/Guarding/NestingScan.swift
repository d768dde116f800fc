/// A one-pass scanner for the nesting depth of JSON or JSON5, valid or not.
///
/// It divides the text as every reader does as long as the text is valid; where it is not, a reader stops. The one place
/// where readers could differ, an escape without its digits, is an error here: Foundation's skips as many bytes as the
/// digits should be, a backslash among them included.
package struct NestingScan: ~Escapable {
    private let bytes: Span<UInt8>
    private let limit: Int
    /// Brackets that may still open, those inside of strings included. Never too few.
    private var rest: Int
    private var depth = 0
    private var position: Int

    /// How many brackets open, wherever they stand: more than any nesting, and far quicker to count.
    package static func openings(in bytes: Span<UInt8>) -> Int {
        let raw = unsafe bytes.bytes
        let whole = bytes.count & ~7
        var count = 0
        var index = 0
        while index < whole {
            // One counter for each byte of the word, none of which can run over within 255 words.
            let end = min(whole, index &+ 255 &* 8)
            var counters: UInt64 = 0
            while index < end {
                let word = unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
                // `[` and `{` differ in bit 5 only; a byte is zero where one of them is.
                let mark = (word | 0x2020_2020_2020_2020) ^ 0x7B7B_7B7B_7B7B_7B7B
                let filled = ((mark & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | mark
                counters &+= ~filled >> 7 & 0x0101_0101_0101_0101
                index &+= 8
            }
            count &+= counters.sumOfBytes
        }
        while index < bytes.count {
            if bytes[index] | 0x20 == 0x7B { count &+= 1 }
            index &+= 1
        }
        return count
    }

    /// Where the first bracket is that opens a level beyond `limit`; nil if none does.
    ///
    /// - Parameter openings: ``openings(in:)`` of the same bytes.
    static func excess(
        over limit: Int, in bytes: Span<UInt8>, openings: Int, isJSON5: Bool
    ) throws(JSONFault) -> Int? {
        var scan = NestingScan(bytes, limit: limit, openings: openings)
        return isJSON5 ? try scan.excess(isJSON5: true) : try scan.excess(isJSON5: false)
    }

    @_lifetime(copy bytes)
    private init(_ bytes: Span<UInt8>, limit: Int, openings: Int) {
        self.bytes = bytes
        self.limit = limit
        rest = openings
        position = 0
    }

    /// Made twice, so that JSON pays nothing for JSON5.
    @inline(__always)
    private mutating func excess(isJSON5: Bool) throws(JSONFault) -> Int? {
        while position < bytes.count {
            let byte = unsafe bytes[unchecked: position]
            position &+= 1
            if byte == UInt8(ascii: "\"") {
                try skipString(endingWith: byte, isJSON5)
            } else if byte | 0x20 == UInt8(ascii: "{") {
                depth &+= 1
                rest &-= 1
                if depth > limit { return position &- 1 }
                // Numbers of JSON5 are looked at to the end.
                if !isJSON5, depth &+ rest <= limit { return nil }
            } else if byte | 0x20 == UInt8(ascii: "}") {
                if depth > 0 { depth &-= 1 }
            } else if isJSON5 {
                try skipOther(byte)
            }
        }
        return nil
    }

    /// What JSON5 has and JSON has not, or not so.
    private mutating func skipOther(_ byte: UInt8) throws(JSONFault) {
        switch byte {
        case UInt8(ascii: "'"): try skipString(endingWith: byte, true)
        case UInt8(ascii: "/"): skipComment()
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            position -= 1
            var number = JSON5Number(bytes, from: position)
            guard number.isValid() else {
                throw JSONFault(.invalidNumber, at: position, "a number is none that JSON5 has")
            }
            position = number.position
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"),
            UInt8(ascii: "$"), UInt8(ascii: "\\"), 0x80...:
            // A word or a key without quotes, whose digits are no numbers.
            while position < bytes.count, JSON5Number.isWord(bytes[position]) { position += 1 }
        default: break
        }
    }

    @inline(__always)
    private mutating func skipString(endingWith quote: UInt8, _ isJSON5: Bool) throws(JSONFault) {
        while position < bytes.count {
            let byte = unsafe bytes[unchecked: position]
            position &+= 1
            if byte == quote { return }
            if byte == UInt8(ascii: "\\") { try skipEscape(isJSON5) }
        }
    }

    /// What follows a backslash; the digits of `\u` and, in JSON5, `\x` must be there.
    @inline(never)
    private mutating func skipEscape(_ isJSON5: Bool) throws(JSONFault) {
        guard position < bytes.count else { return }
        let kind = bytes[position]
        position += 1
        let count = kind == UInt8(ascii: "u") ? 4 : isJSON5 && kind == UInt8(ascii: "x") ? 2 : 0
        for _ in 0..<count {
            // Of a text that ends here nobody reads more.
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

    /// What follows a slash, if that begins a comment of JSON5.
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
