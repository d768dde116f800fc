public import SockeyeCore

/// Endless bytes with values that depend on their position, so a large body can be checked without a copy of it.
///
/// Byte number `n` is `n % 251`. The period is prime, so a shift by a power of two is always detected.
public enum TestPattern {
    private static let period = 251

    /// One static block that starts and ends at a period boundary, so consecutive blocks join seamlessly.
    static let block = unsafe Bytes(count: period * 1044) { buffer in
        for index in buffer.indices { unsafe buffer[index] = UInt8(truncatingIfNeeded: index % period) }
    }

    /// Returns the byte at a position, which must not be negative.
    public static func byte(at position: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: position % period)
    }

    /// Returns the bytes from `offset` on: at least one and at most `count`. The result is a slice of one static block
    /// of about 256 KiB, so nothing is allocated. It has fewer than `count` bytes if the block ends earlier.
    ///
    /// - Precondition: `offset` is not negative and `count` is positive.
    public static func bytes(at offset: Int, upTo count: Int) -> Bytes {
        let start = offset % block.count
        return block.slice(start..<min(block.count, start + count))
    }

    /// Returns true if `bytes` equal the pattern at `offset`.
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
