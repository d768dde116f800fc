/// A limit on runs of combining marks, which no honest text has and which make Swift's strings slow: comparing and
/// hashing put the marks of a run in order by a sort whose time grows with the square of its length, seconds for 100 KB and
/// hours for some megabytes. Decoders hash all keys.
///
/// UAX 15, 13 (Stream-Safe Text Format) has 30 in a row for enough; what people pile upon a letter for fun stays below 256.
package enum CombiningRuns {
    /// The most marks in a row.
    package static let limit = 256

    /// Where a run has gone beyond ``limit``; nil in nearly all text, which is found out at a byte an instruction or two.
    ///
    /// - Parameter readsEscapes: Whether `\u0301` is a mark, as in JSON.
    package static func excess(in bytes: Span<UInt8>, readsEscapes: Bool) -> Int? {
        guard mostMarks(in: bytes) > limit else { return nil }
        var scan = CombiningScan(bytes, readsEscapes: readsEscapes)
        return scan.excess(over: limit)
    }

    /// An upper bound of the marks, counted eight bytes at a time (SWAR): two bytes make one at least, or a backslash.
    private static func mostMarks(in bytes: Span<UInt8>) -> Int {
        let raw = unsafe bytes.bytes
        let whole = bytes.count & ~7
        var (high, backslashes) = (0, 0)
        var index = 0
        while index < whole {
            // One counter for each byte of the word, none of which can run over within 255 words.
            let end = min(whole, index &+ 255 &* 8)
            var (highCounters, backslashCounters) = (UInt64(0), UInt64(0))
            while index < end {
                let word = unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
                highCounters &+= word >> 7 & 0x0101_0101_0101_0101
                // A byte is zero where a backslash is.
                let mark = word ^ 0x5C5C_5C5C_5C5C_5C5C
                let filled = ((mark & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x7F7F_7F7F_7F7F_7F7F) | mark
                backslashCounters &+= ~filled >> 7 & 0x0101_0101_0101_0101
                index &+= 8
            }
            high &+= highCounters.sumOfBytes
            backslashes &+= backslashCounters.sumOfBytes
        }
        while index < bytes.count {
            if bytes[index] >= 0x80 { high &+= 1 }
            if bytes[index] == UInt8(ascii: "\\") { backslashes &+= 1 }
            index &+= 1
        }
        return high / 2 + backslashes
    }
}

extension UInt64 {
    /// The horizontal sum of its eight bytes (SWAR).
    var sumOfBytes: Int {
        let pairs = self & 0x00FF_00FF_00FF_00FF &+ self >> 8 & 0x00FF_00FF_00FF_00FF
        return Int((pairs &* 0x0001_0001_0001_0001) >> 48)
    }
}

/// An iterator over the Unicode scalars of a text, valid or not.
private struct CombiningScan: ~Escapable {
    private let bytes: Span<UInt8>
    private let readsEscapes: Bool
    private var position: Int

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, readsEscapes: Bool) {
        self.bytes = bytes
        self.readsEscapes = readsEscapes
        position = 0
    }

    @_lifetime(self: copy self)
    mutating func excess(over limit: Int) -> Int? {
        var run = 0
        while position < bytes.count {
            let start = position
            let byte = unsafe bytes[unchecked: position]
            if byte < 0x80, byte != UInt8(ascii: "\\") || !readsEscapes {
                position &+= 1
                run = 0
                continue
            }
            let scalar = byte < 0x80 ? escape() : scalar(startingWith: byte)
            run = scalar.map(Self.isMark) == false ? 0 : run + 1
            if run > limit { return start }
        }
        return nil
    }

    /// The scalar that starts here; nil, which counts as a mark, for bytes that are none.
    @_lifetime(self: copy self)
    private mutating func scalar(startingWith lead: UInt8) -> Unicode.Scalar? {
        let length = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 1
        position += 1
        guard length > 1, position + length - 1 <= bytes.count else { return nil }
        var value = UInt32(lead) & (0x7F >> UInt32(length))
        for index in position..<position + length - 1 { value = value << 6 | UInt32(bytes[index] & 0x3F) }
        position += length - 1
        return Unicode.Scalar(value)
    }

    /// The scalar of `\uXXXX` or of a surrogate pair of them, nil for half of one; another escape is none of a mark.
    private mutating func escape() -> Unicode.Scalar? {
        guard let value = escapedUnit(at: position) else {
            // Two backslashes are one, and the second begins nothing; digits that are none begin text.
            let isUnit = position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "u")
            position = min(position + (isUnit ? 1 : 2), bytes.count)
            return "a"
        }
        position += 6
        guard value & 0xFC00 == 0xD800, let low = escapedUnit(at: position), low & 0xFC00 == 0xDC00 else {
            return Unicode.Scalar(value)
        }
        position += 6
        return Unicode.Scalar(0x1_0000 + (value & 0x3FF) << 10 + low & 0x3FF)
    }

    /// The UTF-16 unit of a `\uXXXX` that begins here.
    private func escapedUnit(at start: Int) -> UInt32? {
        guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u")
        else { return nil }
        var value: UInt32 = 0
        for index in start + 2..<start + 6 {
            let byte = bytes[index]
            let digit = byte &- 0x30 < 10 ? byte &- 0x30 : (byte | 0x20) &- 0x61 &+ 10
            guard digit < 16 else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    /// Whether it is a mark that normalization reorders, or decomposes into nothing but such (the last three).
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        return scalar.properties.canonicalCombiningClass != .notReordered
            || scalar.value == 0x0F73 || scalar.value == 0x0F75 || scalar.value == 0x0F81
    }
}
