import SockeyeCore

/// A tag of an XML property list, without its attributes.
struct XMLPropertyListTag {
    let name: String
    /// True for `</name>`.
    let isEnd: Bool
    /// True for `<name/>`.
    let isClosed: Bool
}

/// A tokenizer of XML property lists, which returns tags and text. It skips comments, processing instructions,
/// attributes and the document type.
struct XMLPropertyListScanner: ~Escapable {
    private let text: Span<UInt8>
    private(set) var position = 0

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) {
        self.text = text
    }

    /// Returns the next tag; nil at the end of the list. Only white space, comments, processing instructions and a
    /// document type may come before the tag.
    mutating func nextTag() throws(PropertyListError) -> XMLPropertyListTag? {
        while position < text.count {
            let byte = text[position]
            if byte == 0x20 || (0x09...0x0D).contains(byte) {
                position += 1
            } else if starts(with: "<!--") {
                try skip(past: "-->")
            } else if starts(with: "<?") {
                try skip(past: "?>")
            } else if starts(with: "<!DOCTYPE") {
                try skipDocumentType()
            } else if byte == UInt8(ascii: "<") {
                return try tag()
            } else {
                throw malformed("there is text where a tag is expected")
            }
        }
        return nil
    }

    /// Returns the next start tag; nil at the end tag of the element `name`.
    @_lifetime(self: copy self)
    mutating func nextTag(upToEndOf name: String) throws(PropertyListError) -> XMLPropertyListTag? {
        guard let tag = try nextTag() else { throw malformed("the list ends inside of an element") }
        guard tag.isEnd else { return tag }
        guard tag.name == name else { throw malformed("an end tag does not match the open element") }
        return nil
    }

    @_lifetime(self: copy self)
    mutating func expectEnd(of name: String) throws(PropertyListError) {
        guard try nextTag(upToEndOf: name) == nil else {
            throw malformed("an element contains an element that is not allowed there")
        }
    }

    /// Returns the text of the element `name` up to its end. Its start tag must have been read.
    @_lifetime(self: copy self)
    mutating func text(upToEndOf name: String) throws(PropertyListError) -> String {
        var content: [UInt8] = []
        while position < text.count {
            let byte = text[position]
            if starts(with: "<![CDATA[") {
                position += 9
                let start = position
                try skip(past: "]]>")
                for index in start..<position - 3 { content.append(text[index]) }
            } else if starts(with: "<!--") {
                try skip(past: "-->")
            } else if starts(with: "<?") {
                try skip(past: "?>")
            } else if byte == UInt8(ascii: "<") {
                try expectEnd(of: name)
                return String(decoding: content, as: UTF8.self)
            } else if byte == UInt8(ascii: "&") {
                content.append(contentsOf: try reference())
            } else {
                content.append(byte)
                position += 1
            }
        }
        throw malformed("the list ends inside of an element")
    }

    private mutating func tag() throws(PropertyListError) -> XMLPropertyListTag {
        position += 1
        let isEnd = position < text.count && text[position] == UInt8(ascii: "/")
        if isEnd { position += 1 }
        let start = position
        while position < text.count, Self.isLetter(text[position]) { position += 1 }
        let name = unsafe text.extracting(start..<position).withUnsafeBufferPointer {
            unsafe String(decoding: $0, as: UTF8.self)
        }
        var quote: UInt8?
        while position < text.count {
            let byte = text[position]
            position += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                let isClosed = !isEnd && position - 2 >= start && text[position - 2] == UInt8(ascii: "/")
                guard !name.isEmpty else { throw malformed("a tag has no name") }
                return XMLPropertyListTag(name: name, isEnd: isEnd, isClosed: isClosed)
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "<") {
                break
            }
        }
        throw malformed("a tag does not end")
    }

    /// Reads a reference to a character, or to one of XML's five predefined entities, and returns its UTF-8 bytes.
    private mutating func reference() throws(PropertyListError) -> [UInt8] {
        let start = position + 1
        while position < text.count, text[position] != UInt8(ascii: ";"), position - start < 12 { position += 1 }
        guard position < text.count, text[position] == UInt8(ascii: ";") else {
            throw malformed("a reference does not end")
        }
        let name = unsafe text.extracting(start..<position).withUnsafeBufferPointer {
            unsafe String(decoding: $0, as: UTF8.self)
        }
        position += 1
        switch name {
        case "lt": return Array("<".utf8)
        case "gt": return Array(">".utf8)
        case "amp": return Array("&".utf8)
        case "apos": return Array("'".utf8)
        case "quot": return Array("\"".utf8)
        default:
            guard let scalar = Self.character(name) else {
                throw PropertyListError(.unsupported, "a reference names an unknown entity or character", at: start)
            }
            return Array(String(Character(scalar)).utf8)
        }
    }

    private static func character(_ name: String) -> Unicode.Scalar? {
        let digits = name.utf8.dropFirst(name.hasPrefix("#x") ? 2 : 1)
        guard name.hasPrefix("#"), let first = digits.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
            let value = UInt32(Substring(digits), radix: name.hasPrefix("#x") ? 16 : 10), value != 0
        else { return nil }
        return Unicode.Scalar(value)
    }

    /// Skips the document type declaration, which names Apple's DTD. The DTD is never fetched, and a document type with
    /// its own declarations is refused. The quoted identifiers may contain `>` and `[` (XML 1.0, 2.3).
    private mutating func skipDocumentType() throws(PropertyListError) {
        var quote: UInt8?
        while position < text.count {
            let byte = text[position]
            position += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                return
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") {
                throw PropertyListError(.unsupported, "the document type has declarations of its own", at: position - 1)
            }
        }
        throw malformed("the document type does not end")
    }

    @_lifetime(self: copy self)
    private mutating func skip(past end: StaticString) throws(PropertyListError) {
        while position < text.count {
            if starts(with: end) {
                position += end.utf8CodeUnitCount
                return
            }
            position += 1
        }
        throw malformed("a comment, CDATA section or instruction does not end")
    }

    private func starts(with prefix: StaticString) -> Bool {
        guard text.count - position >= prefix.utf8CodeUnitCount else { return false }
        return prefix.withUTF8Buffer { prefix in
            prefix.indices.allSatisfy { unsafe text[position + $0] == prefix[$0] }
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    func malformed(_ message: String) -> PropertyListError {
        PropertyListError(.malformed, message, at: position)
    }
}

/// An XML property list transcoded to UTF-8.
struct XMLPropertyListText {
    let utf8: [UInt8]
    private let encoding: Encoding

    private enum Encoding {
        /// `mark` is the size of the byte order mark in bytes, 0 or 3.
        case utf8(mark: Int)
        case utf16
    }

    /// - Throws: A fault for bytes that are neither UTF-8 nor UTF-16 with a byte order mark.
    init(_ bytes: Bytes) throws(PropertyListError) {
        if bytes.starts(with: [0xFE, 0xFF]) {
            utf8 = try Self.transcoded(bytes, lowByte: 1)
            encoding = .utf16
        } else if bytes.starts(with: [0xFF, 0xFE]) {
            utf8 = try Self.transcoded(bytes, lowByte: 0)
            encoding = .utf16
        } else {
            let mark = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            utf8 = Array(bytes.slice(mark..<bytes.count))
            encoding = .utf8(mark: mark)
            guard String(validating: utf8, as: UTF8.self) != nil else {
                throw PropertyListError(.malformed, "the text is not valid UTF-8", at: 0)
            }
        }
    }

    /// Returns the offset in the original bytes for an offset in ``utf8``.
    func originalOffset(of offset: Int) -> Int {
        switch encoding {
        case .utf8(let mark): mark + offset
        // A scalar has one UTF-16 code unit, or two if its UTF-8 form has four bytes. Continuation bytes do not count.
        case .utf16: 2 + 2 * utf8[..<offset].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
        }
    }

    private static func transcoded(_ bytes: Bytes, lowByte: Int) throws(PropertyListError) -> [UInt8] {
        let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
            UInt16(bytes[$0 + 1 - lowByte]) << 8 | UInt16(bytes[$0 + lowByte])
        }
        guard bytes.count % 2 == 0, let text = String(validating: units, as: UTF16.self) else {
            throw PropertyListError(.malformed, "the text is not valid UTF-16", at: 0)
        }
        return Array(text.utf8)
    }
}
