/// Percent-encoding (RFC 3986, 2.1) with the sets of the WHATWG URL standard, section 1.3.
///
/// Escapes are written in upper-case hex. Of the sets below, only ``component`` contains `%`. Encoding with the others
/// therefore keeps an existing `%XX`.
package enum PercentEncoding {
    /// The ASCII characters that must be encoded in a fragment.
    package static let fragment = ASCIISet.controls.union(ASCIISet(" \"<>`"))
    /// The ASCII characters that must be encoded in the query of an http or https URL.
    package static let query = ASCIISet.controls.union(ASCIISet(" \"#<>'"))
    /// The ASCII characters that must be encoded in a path.
    package static let path = ASCIISet.controls.union(ASCIISet(" \"#<>?^`{}"))
    /// The ASCII characters that must be encoded in user information.
    package static let userInfo = path.union(ASCIISet("/:;=@[\\]|"))
    /// All ASCII except `unreserved`: for one value inside a query or path, where `&`, `=`, `/` and `%` must lose their
    /// meaning.
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

    /// Appends `bytes`, encoding those in `set` and, unless `keepsUTF8` is true, all outside ASCII.
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

    /// Returns `string` with the characters of `set`, and all characters outside ASCII, as `%XX`.
    package static func encode(_ string: some StringProtocol, _ set: ASCIISet = component) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(string.utf8.count)
        append(string.utf8, encoding: set, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns bytes as text. Bytes outside ASCII are encoded as `%XX`, all others are kept.
    package static func encodingBeyondASCII(_ bytes: some Sequence<UInt8>) -> String {
        var output: [UInt8] = []
        append(bytes, encoding: ASCIISet(""), to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Decodes the well-formed `%XX` that `mustDecode` accepts, by default all of them. Keeps all other bytes,
    /// including malformed escapes.
    ///
    /// - Parameter mustDecode: Called with the byte that an escape stands for. If it returns false, the escape is kept.
    package static func decode(
        _ bytes: some Collection<UInt8>, where mustDecode: (UInt8) -> Bool = { _ in true }
    ) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == 0x25, let decoded = escaped(rest), mustDecode(decoded) {
                output.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                output.append(byte)
            }
        }
        return output
    }

    /// Decodes every `%XX` in `value-chars` (RFC 8187 3.2.1); nil if an escape is malformed or a literal byte is
    /// outside ASCII. More lenient than the RFC: every ASCII byte except `%` may occur literally.
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

    /// Returns the byte of the two hexadecimal digits after a `%`; nil if there are no such digits.
    @inline(__always)
    private static func escaped(_ rest: some Collection<UInt8>) -> UInt8? {
        guard let high = rest.first.flatMap(ByteClass.hexValue),
            let low = rest.dropFirst().first.flatMap(ByteClass.hexValue)
        else { return nil }
        return high << 4 | low
    }
}
