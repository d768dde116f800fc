/// An IPv6 address as its eight groups.
package struct IPv6Address: Sendable, Hashable, CustomStringConvertible {
    package let groups: SIMD8<UInt16>

    /// Reads the text forms of RFC 4291, 2.2, without brackets or zone.
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

    /// Whether the address is only meaningful with a zone: fe80::/10 and link-local multicast (RFC 4007, 4).
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

    /// The first of the longest runs of at least two zero groups, else empty.
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
