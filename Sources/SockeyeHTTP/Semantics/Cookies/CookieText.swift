/// The characters that cookies consist of (RFC 6265bis 5.6 and 5.7).
enum CookieText {
    /// Whether a name, taken out of a Cookie field by a server, would come out as it went in.
    static func isName(_ text: String) -> Bool {
        isValue(text) && !text.utf8.contains(UInt8(ascii: "="))
    }

    /// The same of a value. RFC 6265bis lets HTAB pass within one; curl does not, and no file of cookies has room for
    /// it.
    static func isValue(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.first != ByteClass.space && bytes.last != ByteClass.space
            && bytes.allSatisfy { !ByteClass.isControl($0) && $0 != UInt8(ascii: ";") }
    }

    /// Whether a path has none but the characters that a default path may have: that is taken from a URL (RFC 6265
    /// 5.1.4), where a semicolon is like any other character.
    static func isPath(_ text: String) -> Bool {
        text.utf8.last != ByteClass.space && !text.utf8.contains(where: ByteClass.isControl)
    }

    /// The bytes without SP and HTAB around them.
    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let first = bytes.first, ByteClass.isBlank(first) { bytes.removeFirst() }
        while let last = bytes.last, ByteClass.isBlank(last) { bytes.removeLast() }
        return bytes
    }

    /// Whether a text begins with `lowercase`, letters in either case.
    static func begins(_ text: String, with lowercase: StaticString) -> Bool {
        lowercase.withUTF8Buffer { prefix in
            unsafe text.utf8.count >= prefix.count
                && zip(text.utf8, prefix).allSatisfy { ByteClass.lowercased($0) == $1 }
        }
    }

    /// Whether the bytes are `lowercase`, letters in either case.
    static func equals(_ bytes: ArraySlice<UInt8>, _ lowercase: StaticString) -> Bool {
        lowercase.withUTF8Buffer { expected in
            unsafe bytes.count == expected.count && zip(bytes, expected).allSatisfy { ByteClass.lowercased($0) == $1 }
        }
    }
}
