/// An IPv4 address in host byte order.
package struct IPv4Address: Sendable, Hashable, CustomStringConvertible {
    package let value: UInt32

    package init(_ value: UInt32) {
        self.value = value
    }

    /// Reads exactly `d.d.d.d`, each from 0 to 255 without leading zeros, as RFC 3986, 3.2.2 has it.
    package init?(canonical bytes: Span<UInt8>) {
        var value: UInt32 = 0
        var part: UInt32 = 0
        var digits = 0
        var dots = 0
        for index in bytes.indices {
            switch bytes[index] {
            case 0x30...0x39:
                guard digits == 0 || part > 0 else { return nil }
                part = part * 10 + UInt32(bytes[index] - 0x30)
                digits += 1
                guard part <= 255 else { return nil }
            case 0x2E:
                guard digits > 0, dots < 3 else { return nil }
                value = value << 8 | part
                (part, digits, dots) = (0, 0, dots + 1)
            default:
                return nil
            }
        }
        guard digits > 0, dots == 3 else { return nil }
        self.value = value << 8 | part
    }

    /// As `init(canonical:)`.
    package init?(_ text: String) {
        self.init(canonical: text.utf8.span)
    }

    package var description: String {
        "\(value >> 24).\(value >> 16 & 255).\(value >> 8 & 255).\(value & 255)"
    }
}

/// The forms that C libraries take for an address (`127.1`, `0x7f000001`, `0177.0.0.1`), read as the WHATWG URL
/// standard does, 3.5. They are turned into the plain form here, so that no check of a name is passed by what is an
/// address.
extension IPv4Address {
    /// Whether the last label is a number, which makes the whole host an IPv4 address or an error.
    static func isNumeric(host: some BidirectionalCollection<UInt8>) -> Bool {
        var rest = host[...]
        if rest.last == 0x2E { rest.removeLast() }
        let start = rest.lastIndex(of: 0x2E).map { rest.index(after: $0) } ?? rest.startIndex
        let label = rest[start...]
        guard !label.isEmpty else { return false }
        return label.allSatisfy(ASCIISet.digits.contains) || number(label) != nil
    }

    init?(lenient host: some BidirectionalCollection<UInt8>) {
        var parts = host.split(separator: 0x2E, omittingEmptySubsequences: false)
        if parts.last?.isEmpty == true, parts.count > 1 { parts.removeLast() }
        guard (1...4).contains(parts.count) else { return nil }
        var value: UInt64 = 0
        for (index, part) in parts.enumerated() {
            // The last part fills all the bytes that are left.
            let bits = index == parts.count - 1 ? UInt64(8 * (5 - parts.count)) : 8
            guard let number = Self.number(part), number < 1 << bits else { return nil }
            value = value << bits | number
        }
        self.init(UInt32(value))
    }

    /// Decimal, octal with a leading 0 or hexadecimal with 0x; capped well above 32 bits instead of overflowing.
    private static func number(_ part: some Collection<UInt8>) -> UInt64? {
        guard let first = part.first else { return nil }
        var digits = part[...]
        var radix: UInt64 = 10
        if first == 0x30, part.count > 1 {
            digits.removeFirst()
            radix = 8
            if let second = digits.first, second | 0x20 == 0x78 {
                digits.removeFirst()
                radix = 16
            }
        }
        var value: UInt64 = 0
        for byte in digits {
            guard let digit = ByteClass.hexValue(byte), digit < radix else { return nil }
            value = min(value * radix + UInt64(digit), 1 << 40)
        }
        return value
    }
}
