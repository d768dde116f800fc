/// The byte classes of RFC 9110 and RFC 3986 that HTTP/1.1 parsing and writing test byte by byte.
///
/// Every class has only ASCII bytes. Large classes are bit sets of 128 bits in two constants: no table, no lazy global.
package enum ByteClass {
    package static let horizontalTab: UInt8 = 0x09
    package static let lineFeed: UInt8 = 0x0A
    package static let carriageReturn: UInt8 = 0x0D
    package static let space: UInt8 = 0x20

    /// `tchar`, RFC 9110 5.6.2: the characters of methods and field names.
    @inlinable
    @inline(__always)
    package static func isToken(_ byte: UInt8) -> Bool {
        holds(byte, low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
    }

    /// The characters of `token68` before its padding, RFC 9110 11.2: the alphabets of base64 and base64url, `.` and
    /// `~`.
    @inlinable
    @inline(__always)
    package static func isToken68(_ byte: UInt8) -> Bool {
        holds(byte, low: 0x03FF_E800_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    }

    /// The characters of `uri-host [":" port]`: unreserved, sub-delims, `%`, `:` and brackets (RFC 3986 3.2.2). The
    /// class excludes `/`, `?`, `#`, `@` and blanks, so a Host value cannot smuggle other parts of a URL.
    @inlinable
    @inline(__always)
    package static func isAuthority(_ byte: UInt8) -> Bool {
        holds(byte, low: 0x2FFF_7FF2_0000_0000, high: 0x47FF_FFFE_AFFF_FFFE)
    }

    /// The characters of a request target: visible ASCII except `#`, because a fragment is never sent (RFC 9112 3.2).
    /// The class is larger than the grammar allows, because real URLs violate the grammar.
    @inlinable
    @inline(__always)
    package static func isTarget(_ byte: UInt8) -> Bool {
        holds(byte, low: 0xFFFF_FFF6_0000_0000, high: 0x7FFF_FFFF_FFFF_FFFF)
    }

    @inlinable
    @inline(__always)
    package static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// OWS, RFC 9110 5.6.3: SP or HTAB.
    @inlinable
    @inline(__always)
    package static func isBlank(_ byte: UInt8) -> Bool { byte == space || byte == horizontalTab }

    /// CTL of RFC 5234. A field value must not have these bytes, except HTAB.
    @inlinable
    @inline(__always)
    package static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    /// The value of a hexadecimal digit, or nil.
    @inlinable
    @inline(__always)
    package static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- 0x30 }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    /// The lower-case hexadecimal digit of a value below 16.
    @inlinable
    @inline(__always)
    package static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 &+ value : 0x57 &+ value
    }

    /// Returns a letter in lower case; other bytes are unchanged.
    @inlinable
    @inline(__always)
    package static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    @inlinable
    @inline(__always)
    package static func holds(_ byte: UInt8, low: UInt64, high: UInt64) -> Bool {
        let bits = byte < 64 ? low : high
        return byte < 128 && (bits &>> UInt64(byte & 63)) & 1 != 0
    }
}

extension String {
    /// Formats bytes as lower-case hexadecimal digits.
    init(hexadecimal bytes: some Sequence<UInt8>) {
        let digits = bytes.flatMap { [ByteClass.hexDigit($0 >> 4), ByteClass.hexDigit($0 & 15)] }
        self.init(decoding: digits, as: UTF8.self)
    }
}

/// A bit set of ASCII characters in two words: a membership test is a shift without a memory access.
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

    /// Returns true if `byte` is a member; a byte outside ASCII never is.
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
    /// C0 controls and DEL.
    package static let controls = ASCIISet(0x00...0x1F).union(ASCIISet("\u{7F}"))
    /// `unreserved` of RFC 3986, 2.3.
    package static let unreserved = letters.union(digits).union(ASCIISet("-._~"))
}
