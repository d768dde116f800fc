/// The characters of cookies (RFC 6265bis 5.6 and 5.7).
enum CookieText {
    /// Returns true if two names, values or paths have the same bytes.
    ///
    /// For Swift, strings that differ only in their Unicode normalization are equal; for a server they are different.
    /// Swift's comparison also takes quadratic time for long runs of combining characters.
    static func areSame(_ one: String, _ other: String) -> Bool {
        one.utf8.count == other.utf8.count && one.utf8.elementsEqual(other.utf8)
    }

    /// Returns true if a server that parses a Cookie field would get the name unchanged.
    static func isName(_ text: String) -> Bool {
        isValue(text) && !text.utf8.contains(UInt8(ascii: "="))
    }

    /// Returns true if a server would get the value unchanged. RFC 6265bis allows HTAB inside a value. This function
    /// refuses HTAB, as curl does, because a ``NetscapeCookieFile`` uses HTAB as its separator.
    static func isValue(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.first != ByteClass.space && bytes.last != ByteClass.space
            && bytes.allSatisfy { !ByteClass.isControl($0) && $0 != UInt8(ascii: ";") }
    }

    /// Returns true if all characters may be in a path and the last one is not SP. A semicolon is allowed: a default
    /// path comes from a URL (RFC 6265 5.1.4), where a semicolon is an ordinary character.
    static func isPath(_ text: String) -> Bool {
        text.utf8.last != ByteClass.space && !text.utf8.contains(where: ByteClass.isControl)
    }

    /// Returns the bytes without leading and trailing SP and HTAB.
    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let first = bytes.first, ByteClass.isBlank(first) { bytes.removeFirst() }
        while let last = bytes.last, ByteClass.isBlank(last) { bytes.removeLast() }
        return bytes
    }

    /// Returns true if the text begins with `lowercase`, ignoring the case of letters.
    static func begins(_ text: String, with lowercase: StaticString) -> Bool {
        lowercase.withUTF8Buffer { prefix in
            unsafe text.utf8.count >= prefix.count
                && zip(text.utf8, prefix).allSatisfy { ByteClass.lowercased($0) == $1 }
        }
    }

    /// Returns true if the bytes equal `lowercase`, ignoring the case of letters.
    static func equals(_ bytes: ArraySlice<UInt8>, _ lowercase: StaticString) -> Bool {
        lowercase.withUTF8Buffer { expected in
            unsafe bytes.count == expected.count && zip(bytes, expected).allSatisfy { ByteClass.lowercased($0) == $1 }
        }
    }
}
