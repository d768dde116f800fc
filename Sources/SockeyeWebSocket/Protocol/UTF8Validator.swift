/// An incremental validator of UTF-8 (RFC 3629 4). It checks text in pieces; a piece may end within a character.
///
/// It refuses overlong forms, surrogates and values above U+10FFFF. The state is the number of missing bytes of the
/// current sequence, and the range of the next byte. The range is 0x80 to 0xBF, but narrower for the second byte of
/// some sequences.
package struct UTF8Validator: Sendable, Hashable {
    private var missing: UInt8 = 0
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    package init() {}

    /// True if the text may end here.
    package var isComplete: Bool { missing == 0 }

    /// Checks further bytes. Returns false if the text cannot be valid with these bytes.
    package mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress else { return true }
        var offset = 0
        while offset < bytes.count {
            if missing == 0 {
                offset = unsafe Self.skipASCII(base, from: offset, to: bytes.count)
                guard offset < bytes.count else { return true }
            }
            let byte = unsafe base.load(fromByteOffset: offset, as: UInt8.self)
            offset &+= 1
            guard missing == 0 ? begins(with: byte) : continues(with: byte) else { return false }
        }
        return true
    }

    @inline(__always)
    private static func skipASCII(_ base: UnsafeRawPointer, from start: Int, to end: Int) -> Int {
        var offset = start
        while offset &+ 16 <= end {
            let first = unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let second = unsafe base.loadUnaligned(fromByteOffset: offset &+ 8, as: UInt64.self)
            guard (first | second) & 0x8080_8080_8080_8080 == 0 else { break }
            offset &+= 16
        }
        while offset < end, unsafe base.load(fromByteOffset: offset, as: UInt8.self) < 0x80 { offset &+= 1 }
        return offset
    }

    /// Accepts the first byte of a multi-byte sequence; false if no sequence begins with it.
    @inline(__always)
    private mutating func begins(with byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, lowest) = (2, 0xA0)
        case 0xED: (missing, highest) = (2, 0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, lowest) = (3, 0x90)
        case 0xF1...0xF3: missing = 3
        case 0xF4: (missing, highest) = (3, 0x8F)
        default: return false
        }
        return true
    }

    /// Accepts a further byte of a multi-byte sequence; false if it is outside the allowed range.
    @inline(__always)
    private mutating func continues(with byte: UInt8) -> Bool {
        guard byte >= lowest, byte <= highest else { return false }
        (missing, lowest, highest) = (missing &- 1, 0x80, 0xBF)
        return true
    }
}
