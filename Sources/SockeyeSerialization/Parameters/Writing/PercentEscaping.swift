/// Percent-encoding of keys and values (RFC 3986, 2.1), byte by byte of their UTF-8.
///
/// Left as they are: letters, digits, `-._~` (RFC 3986, 2.3) and, as in AFNetworking, `/` and `?`, which a query may
/// hold (3.4). A character is never split, since UTF-8 is encoded and not sliced.
enum PercentEscaping {
    /// One bit for each byte below 128 that stays as it is.
    private static let literals: (low: UInt64, high: UInt64) = {
        var bits: (low: UInt64, high: UInt64) = (0, 0)
        for byte in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?".utf8 {
            if byte < 64 { bits.low |= 1 << UInt64(byte) } else { bits.high |= 1 << UInt64(byte - 64) }
        }
        return bits
    }()

    static func append(_ text: String, spaces: ParameterStyle.SpaceFormat, to output: inout [UInt8]) {
        let literals = literals
        let space = spaces == .plus
        let bytes = text.utf8Span.span
        output.append(addingCapacity: 3 * bytes.count) { span in
            for index in bytes.indices {
                let byte = bytes[index]
                let bits = byte < 64 ? literals.low : byte < 128 ? literals.high : 0
                if (bits >> UInt64(byte & 63)) & 1 == 1 {
                    span.append(byte)
                } else if byte == UInt8(ascii: " "), space {
                    span.append(UInt8(ascii: "+"))
                } else {
                    span.append(UInt8(ascii: "%"))
                    span.append(digit(byte >> 4))
                    span.append(digit(byte & 15))
                }
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
