public import SockeyeCore

/// Endless bytes whose value tells their position, so that a large body can be checked without keeping a copy of it.
///
/// Byte number `n` is `n % 251`: the period is a prime, so no power-of-two shift goes unnoticed.
public enum TestPattern {
    private static let period = 251

    /// One static block that starts and ends on a period, so that blocks follow each other seamlessly.
    static let block = unsafe Bytes(count: period * 1044) { buffer in
        for index in buffer.indices { unsafe buffer[index] = UInt8(truncatingIfNeeded: index % period) }
    }

    /// The byte at a position, which must not be negative.
    public static func byte(at position: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: position % period)
    }

    /// The bytes from `offset` on: at least one, at most `count` and at most what one shared block holds (some 256 KiB),
    /// so they cost no memory.
    ///
    /// - Precondition: `offset` is not negative and `count` is positive.
    public static func bytes(at offset: Int, upTo count: Int) -> Bytes {
        let start = offset % block.count
        return block.slice(start..<min(block.count, start + count))
    }

    /// Whether `bytes` are what the pattern has at `offset`.
    public static func matches(_ bytes: Bytes, at offset: Int) -> Bool {
        var checked = 0
        while checked < bytes.count {
            let expected = TestPattern.bytes(at: offset + checked, upTo: bytes.count - checked)
            guard bytes.slice(checked..<checked + expected.count) == expected else { return false }
            checked += expected.count
        }
        return true
    }
}
