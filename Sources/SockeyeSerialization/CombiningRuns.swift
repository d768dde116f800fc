/// A limit on runs of combining marks. Long runs make Swift's strings slow.
///
/// To compare or hash a string, Swift sorts the marks of each run in quadratic time. This takes seconds for a run of
/// 100 KB and hours for some megabytes. Decoders hash all keys, so a peer could keep them busy with such runs. The
/// Stream-Safe Text Format (UAX 15, section 13) allows 30 marks in a row; even text that stacks marks for fun stays
/// below 256.
package enum CombiningRuns {
    /// The maximum number of marks in a row.
    package static let limit = 256

    /// Returns the position at which a run exceeds ``limit``; nil if there is no such run.
    ///
    /// - Parameter readsEscapes: True if `\u0301` counts as a mark, as in JSON.
    package static func excess(in bytes: Span<UInt8>, readsEscapes: Bool) -> Int? {
        guard mostMarks(in: bytes) > limit else { return nil }
        var scan = CombiningScan(bytes, readsEscapes: readsEscapes)
        return scan.excess(over: limit)
    }

    /// Returns an upper bound for the number of marks, counted eight bytes at a time (SWAR). A mark has at least two
    /// bytes beyond ASCII, or a backslash. For invalid UTF-8, which all callers reject, the bound may be too low:
    /// ``CombiningScan`` counts each invalid byte as a mark.
    private static func mostMarks(in bytes: Span<UInt8>) -> Int {
        let raw = unsafe bytes.bytes
        let whole = bytes.count & ~7
        var (high, backslashes) = (0, 0)
        var index = 0
        while index < whole {
            // One counter for each byte of the word; no counter can overflow within 255 words.
            let end = min(whole, index &+ 255 &* 8)
            var (highCounters, backslashCounters) = (UInt64(0), UInt64(0))
            while index < end {
                let word = unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self)
                highCounters &+= word >> 7 & 0x0101_0101_0101_0101
                // A byte of `mark` is zero at a backslash.
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
    /// The sum of the eight bytes of this number (SWAR).
    var sumOfBytes: Int {
        let pairs = self & 0x00FF_00FF_00FF_00FF &+ self >> 8 & 0x00FF_00FF_00FF_00FF
        return Int((pairs &* 0x0001_0001_0001_0001) >> 48)
    }
}

/// A scan over the Unicode scalars of a text that may contain invalid UTF-8.
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

    /// Returns the position of the mark with which a run exceeds `limit`; nil if there is no such run.
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

    /// Returns the scalar that starts here; nil for invalid bytes, which count as a mark.
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

    /// Returns the scalar of a `\uXXXX` or of a surrogate pair; nil for a lone surrogate. Other escapes yield a letter,
    /// since they are not marks.
    private mutating func escape() -> Unicode.Scalar? {
        guard let value = escapedUnit(at: position) else {
            // Two backslashes are an escaped backslash, so the second starts no escape. If the digits after `\u` are
            // invalid, only the backslash is skipped.
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

    /// Returns the UTF-16 unit of a `\uXXXX` that starts at `start`; nil if no valid escape of this form starts there.
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

    /// True for a mark that normalization reorders, or that decomposes only into such marks (the three listed scalars).
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value >= 0x300 else { return false }
        return scalar.properties.canonicalCombiningClass != .notReordered
            || scalar.value == 0x0F73 || scalar.value == 0x0F75 || scalar.value == 0x0F81
    }
}
