/// A reader of packed tables: unsigned LEB128 numbers in base64.
///
/// The tables are part of the program, so a malformed table is a programming error and traps.
struct LEB128Reader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ packed: StaticString) {
        bytes = unsafe packed.withUTF8Buffer(Self.decodeBase64)
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func next() -> UInt32 {
        var value: UInt32 = 0
        var shift: UInt32 = 0
        while true {
            let byte = bytes[position]
            position += 1
            value |= UInt32(byte & 0x7F) << shift
            guard byte & 0x80 != 0 else { return value }
            shift += 7
        }
    }

    /// Returns a signed number in zigzag encoding, which keeps small numbers of either sign short.
    mutating func nextSigned() -> Int32 {
        let value = next()
        return value & 1 == 0 ? Int32(value >> 1) : -Int32(value >> 1) - 1
    }

    private static func decodeBase64(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        for index in text.indices {
            let byte = unsafe text[index]
            let value: UInt8
            switch byte {
            case 0x41...0x5A: value = byte - 0x41
            case 0x61...0x7A: value = byte - 0x61 + 26
            case 0x30...0x39: value = byte - 0x30 + 52
            case 0x2B: value = 62
            case 0x2F: value = 63
            default: continue  // line ends and padding
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return output
    }
}
