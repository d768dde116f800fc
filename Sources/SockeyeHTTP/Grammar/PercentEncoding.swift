/// Percent-encoding (RFC 3986, 2.1) with the sets of the WHATWG URL standard, section 1.3.
///
/// Output is upper-case hex. What is already `%XX` stays as it is: `%41` is not encoded twice, `%2F` is not decoded.
package enum PercentEncoding {
    /// What a fragment may not hold bare.
    package static let fragment = ASCIISet.controls.union(ASCIISet(" \"<>`"))
    /// What a query of http and https may not hold bare.
    package static let query = ASCIISet.controls.union(ASCIISet(" \"#<>'"))
    /// What a path may not hold bare. (`'` may stand in a path.)
    package static let path = ASCIISet.controls.union(ASCIISet(" \"#<>?^`{}"))
    /// What user information may not hold bare.
    package static let userInfo = path.union(ASCIISet("/:;=@[\\]|"))
    /// Everything but `unreserved`: for one value inside a query or path, where `&`, `=`, `/` and `%` must not act.
    package static let component = ASCIISet.unreserved.inverted

    @inline(__always)
    private static func append(encoded byte: UInt8, to output: inout [UInt8]) {
        output.append(0x25)
        output.append(hexDigit(byte >> 4))
        output.append(hexDigit(byte & 15))
    }

    @inline(__always)
    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? 0x30 + value : 0x37 + value
    }

    /// Appends `bytes`, encoding those in `set` and all outside ASCII.
    ///
    /// - Parameter keepsUTF8: Leaves what is outside ASCII as it is.
    static func append(
        _ bytes: some Sequence<UInt8>, encoding set: ASCIISet, keepsUTF8: Bool = false, to output: inout [UInt8]
    ) {
        for byte in bytes {
            if byte >= 0x80 ? !keepsUTF8 : set.contains(byte) {
                append(encoded: byte, to: &output)
            } else {
                output.append(byte)
            }
        }
    }

    /// `string` with the characters of `set` and all outside ASCII as `%XX`.
    package static func encode(_ string: some StringProtocol, _ set: ASCIISet = component) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(string.utf8.count)
        append(string.utf8, encoding: set, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Bytes as text, with those outside ASCII as `%XX`.
    package static func encodingBeyondASCII(_ bytes: some Sequence<UInt8>) -> String {
        var output: [UInt8] = []
        append(bytes, encoding: ASCIISet(""), to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Every well-formed `%XX` as its byte, all else as it is. A broken `%` is not an error here.
    ///
    /// - Parameter isMeant: Of which bytes an escape is decoded; by default of all.
    package static func decode(
        _ bytes: some Collection<UInt8>, where isMeant: (UInt8) -> Bool = { _ in true }
    ) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == 0x25, let decoded = escaped(rest), isMeant(decoded) {
                output.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                output.append(byte)
            }
        }
        return output
    }

    /// As ``decode(_:where:)``, but nil for a broken `%` and for bytes outside ASCII (`value-chars` of RFC 8187 3.2.1).
    static func decodeStrictly(_ bytes: some Collection<UInt8>) -> [UInt8]? {
        var output: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == 0x25 {
                guard let decoded = escaped(rest) else { return nil }
                output.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                guard byte < 0x80 else { return nil }
                output.append(byte)
            }
        }
        return output
    }

    /// The byte of which the two hexadecimal digits behind a `%` are; nil where there are none.
    @inline(__always)
    private static func escaped(_ rest: some Collection<UInt8>) -> UInt8? {
        guard let high = rest.first.flatMap(ByteClass.hexValue),
            let low = rest.dropFirst().first.flatMap(ByteClass.hexValue)
        else { return nil }
        return high << 4 | low
    }
}
