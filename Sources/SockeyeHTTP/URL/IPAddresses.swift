/// An IPv4 address in host byte order.
package struct IPv4Address: Sendable, Hashable, CustomStringConvertible {
    package let value: UInt32

    package init(_ value: UInt32) {
        self.value = value
    }

    /// Parses exactly `d.d.d.d`, each number from 0 to 255 without leading zeros, as RFC 3986, 3.2.2 defines it.
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

    /// Parses the same form as `init(canonical:)`.
    package init?(_ text: String) {
        self.init(canonical: text.utf8.span)
    }

    package var description: String {
        "\(value >> 24).\(value >> 16 & 255).\(value >> 8 & 255).\(value & 255)"
    }
}

/// The address forms that C libraries accept (`127.1`, `0x7f000001`, `0177.0.0.1`), parsed as in section 3.5 of the
/// WHATWG URL standard. They are converted to the form `127.0.0.1`, so that a check of host names cannot mistake an
/// address for a name.
extension IPv4Address {
    /// True if the last label is a number. Such a host is an IPv4 address or invalid.
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
            // The last part fills all remaining bytes.
            let bits = index == parts.count - 1 ? UInt64(8 * (5 - parts.count)) : 8
            guard let number = Self.number(part), number < 1 << bits else { return nil }
            value = value << bits | number
        }
        self.init(UInt32(value))
    }

    /// Parses a decimal number, an octal one with a leading 0, or a hexadecimal one with 0x; nil for anything else.
    /// Values over 2^40 become 2^40, which prevents an overflow and is still too large for an address.
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

/// An IPv6 address as its eight groups.
package struct IPv6Address: Sendable, Hashable, CustomStringConvertible {
    package let groups: SIMD8<UInt16>

    /// Parses the text forms of RFC 4291, 2.2, without brackets and zone.
    package init?(_ text: some BidirectionalCollection<UInt8>) {
        let bytes = Array(text)
        guard bytes.count <= 45 else { return nil }
        let gap = bytes.indices.dropLast().first { bytes[$0] == 0x3A && bytes[$0 + 1] == 0x3A }
        var groups = SIMD8<UInt16>(repeating: 0)
        if let gap {
            guard let head = Self.groups(bytes[..<gap], mayEndInIPv4: false),
                let tail = Self.groups(bytes[(gap + 2)...], mayEndInIPv4: true), head.count + tail.count <= 7
            else { return nil }
            for (index, group) in head.enumerated() { groups[index] = group }
            for (index, group) in tail.enumerated() { groups[8 - tail.count + index] = group }
        } else {
            guard let all = Self.groups(bytes[...], mayEndInIPv4: true), all.count == 8 else { return nil }
            for (index, group) in all.enumerated() { groups[index] = group }
        }
        self.groups = groups
    }

    private static func groups(_ bytes: ArraySlice<UInt8>, mayEndInIPv4: Bool) -> [UInt16]? {
        guard !bytes.isEmpty else { return [] }
        let parts = bytes.split(separator: 0x3A, maxSplits: 8, omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if mayEndInIPv4, index == parts.count - 1, part.contains(0x2E) {
                guard let address = IPv4Address(canonical: part.span) else { return nil }
                groups += [UInt16(address.value >> 16), UInt16(address.value & 0xFFFF)]
            } else {
                guard let group = group(part) else { return nil }
                groups.append(group)
            }
        }
        return groups.count <= 8 ? groups : nil
    }

    private static func group(_ digits: ArraySlice<UInt8>) -> UInt16? {
        guard (1...4).contains(digits.count) else { return nil }
        var value: UInt16 = 0
        for byte in digits {
            guard let digit = ByteClass.hexValue(byte) else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    /// True if the address is meaningful only with a zone: fe80::/10 and link-local multicast (RFC 4007, 4).
    package var isLinkLocal: Bool {
        groups[0] & 0xFFC0 == 0xFE80 || groups[0] & 0xFF0F == 0xFF02
    }

    /// The canonical form of RFC 5952, section 4: lower case, no leading zeros, the longest run of zeros as `::`.
    package var description: String {
        let gap = longestZeroRun
        var text = ""
        var index = 0
        while index < 8 {
            if index == gap.lowerBound, !gap.isEmpty {
                text += "::"
                index = gap.upperBound
            } else {
                if index > 0, index != gap.upperBound || gap.isEmpty { text += ":" }
                text += String(groups[index], radix: 16)
                index += 1
            }
        }
        return text
    }

    /// The first of the longest runs of at least two zero groups; empty if there is no such run.
    private var longestZeroRun: Range<Int> {
        var best = 0..<0
        var start = 0
        for index in 0...8 where index == 8 || groups[index] != 0 {
            if index - start > max(best.count, 1) { best = start..<index }
            start = index + 1
        }
        return best
    }
}
