import SockeyeCore

/// The text of an XML property list in UTF-8.
enum XMLPropertyListText {
    /// - Throws: for bytes that are neither UTF-8 nor UTF-16 with a byte order mark.
    static func utf8(_ bytes: Bytes) throws(PropertyListError) -> [UInt8] {
        if bytes.starts(with: [0xFE, 0xFF]) { return try utf16(bytes, lowByte: 1) }
        if bytes.starts(with: [0xFF, 0xFE]) { return try utf16(bytes, lowByte: 0) }
        let text = Array(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.slice(3..<bytes.count) : bytes)
        guard String(validating: text, as: UTF8.self) != nil else {
            throw PropertyListError(.malformed, "the text is not valid UTF-8", at: 0)
        }
        return text
    }

    private static func utf16(_ bytes: Bytes, lowByte: Int) throws(PropertyListError) -> [UInt8] {
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
            UInt16(bytes[$0 + 1 - lowByte]) << 8 | UInt16(bytes[$0 + lowByte])
        }
        guard bytes.count % 2 == 0, let text = String(validating: units, as: UTF16.self) else {
            throw PropertyListError(.malformed, "the text is not valid UTF-16", at: 0)
        }
        return Array(text.utf8)
    }
}
