#if Images
/// Writes PNG files with arbitrary content and correct checksums.
enum PNGWriter {
    /// - Parameters:
    ///   - pixels: The content of IDAT: a zlib stream.
    ///   - extra: Further chunks before it.
    ///   - depth: The bits of each of the samples red, green, blue and opacity.
    static func file(
        _ width: UInt32, _ height: UInt32, pixels: [UInt8], extra: [UInt8] = [], depth: UInt8 = 8
    ) -> [UInt8] {
        let header = big(width) + big(height) + [depth, 6, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + extra
            + chunk("IDAT", pixels) + chunk("IEND", [])
    }

    static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        return big(UInt32(content.count)) + body + big(checksum(body))
    }

    /// Returns a zlib stream of zeros (RFC 1950, 1951), nearly 160 times shorter than its content.
    static func zeros(_ count: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.write(0b011, 3)  // the last block, with fixed codes
        bits.write(0b0000_1100, 8)  // a zero: code 00110000, its first bit first
        let copies = (count - 1) / 258
        for _ in 0..<copies {
            bits.write(0b1010_0011, 8)  // length 258: code 11000101
            bits.write(0, 5)  // distance 1
        }
        for _ in 0..<(count - 1 - copies * 258) { bits.write(0b0000_1100, 8) }
        bits.write(0, 7)
        // Adler-32 of zeros.
        return [0x78, 0x01] + bits.finish() + big(UInt32(count % 65521) << 16 | 1)
    }

    /// Returns a zlib stream with one stored block.
    static func stored(_ content: [UInt8]) -> [UInt8] {
        let count = UInt16(content.count)
        let lengths = [count, ~count].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let sums = content.reduce((low: UInt32(1), high: UInt32(0))) { sums, byte in
            let low = (sums.low + UInt32(byte)) % 65521
            return (low, (sums.high + low) % 65521)
        }
        return [0x78, 0x01, 0x01] + lengths + content + big(sums.high << 16 | sums.low)
    }

    private struct BitWriter {
        private var bytes: [UInt8] = []
        private var pending: UInt32 = 0
        private var count = 0

        mutating func write(_ value: UInt32, _ length: Int) {
            pending |= value << UInt32(count)
            count += length
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                count -= 8
            }
        }

        mutating func finish() -> [UInt8] {
            if count > 0 { write(0, 8 - count) }
            return bytes
        }
    }

    private static func big(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
        return ~sum
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }
}
#endif
