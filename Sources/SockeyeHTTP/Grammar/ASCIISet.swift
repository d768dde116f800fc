/// A set of ASCII characters as two words, so that asking costs a shift and no memory access.
package struct ASCIISet: Sendable, Hashable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    package init(_ members: StaticString) {
        members.withUTF8Buffer { bytes in for index in bytes.indices { insert(unsafe bytes[index]) } }
    }

    package init(_ range: ClosedRange<UInt8>) {
        for byte in range { insert(byte) }
    }

    private mutating func insert(_ byte: UInt8) {
        precondition(byte < 0x80, "an ASCII set holds ASCII")
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
    }

    /// Whether `byte` is a member; a byte outside ASCII never is.
    @inline(__always)
    package func contains(_ byte: UInt8) -> Bool {
        let word = byte < 64 ? low : (byte < 128 ? high : 0)
        return (word &>> UInt64(byte & 63)) & 1 != 0
    }

    package func union(_ other: ASCIISet) -> ASCIISet {
        var result = self
        result.low |= other.low
        result.high |= other.high
        return result
    }

    package var inverted: ASCIISet {
        var result = self
        result.low = ~low
        result.high = ~high
        return result
    }
}

extension ASCIISet {
    package static let letters = ASCIISet(0x41...0x5A).union(ASCIISet(0x61...0x7A))
    package static let digits = ASCIISet(0x30...0x39)
    package static let hexDigits = digits.union(ASCIISet(0x41...0x46)).union(ASCIISet(0x61...0x66))
    /// C0 controls and DEL.
    package static let controls = ASCIISet(0x00...0x1F).union(ASCIISet("\u{7F}"))
    /// `unreserved` of RFC 3986, 2.3.
    package static let unreserved = letters.union(digits).union(ASCIISet("-._~"))
}
