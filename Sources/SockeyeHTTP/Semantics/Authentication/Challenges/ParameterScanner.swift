/// Walks over the bytes of authentication fields: tokens, quoted strings, blanks and commas (RFC 9110 5.6).
struct ParameterScanner {
    private let bytes: [UInt8]
    private(set) var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    var isAtEnd: Bool { position == bytes.count }
    var next: UInt8? { isAtEnd ? nil : bytes[position] }

    mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    /// Whether there were any.
    @discardableResult
    mutating func skipBlanks() -> Bool {
        let start = position
        while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { position += 1 }
        return position > start
    }

    /// Members of a list may be empty.
    mutating func skipSeparators() {
        while skipBlanks() || skip(UInt8(ascii: ",")) {}
    }

    /// Goes back to where it was.
    mutating func rewind(to position: Int) {
        self.position = position
    }

    /// Past what cannot be read, up to the comma that ends it; a quoted string may hold commas.
    mutating func skipMember() {
        while let byte = next, byte != UInt8(ascii: ",") {
            if byte == UInt8(ascii: "\"") {
                if quotedString() == nil { position = bytes.count }
            } else {
                position += 1
            }
        }
    }

    /// A token; nil when there is none here.
    mutating func token() -> String? {
        take(Self.isToken)
    }

    /// `token68` (RFC 9110 11.2), if that is all there is up to the comma or the end.
    mutating func token68() -> String? {
        let start = position
        guard take(Self.isToken68) != nil else { return nil }
        while skip(UInt8(ascii: "=")) {}
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        skipBlanks()
        if isAtEnd || next == UInt8(ascii: ",") { return text }
        position = start
        return nil
    }

    /// A token or a quoted string without quotes and escapes; nil when it is neither, or does not end.
    mutating func value() -> String? {
        next == UInt8(ascii: "\"") ? quotedString() : token()
    }

    private mutating func quotedString() -> String? {
        let start = position
        position += 1
        var output: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: output, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = next else { break }
                output.append(escaped)
                position += 1
            default: output.append(byte)
            }
        }
        position = start
        return nil
    }

    private mutating func take(_ matches: (UInt8) -> Bool) -> String? {
        let start = position
        while let byte = next, matches(byte) { position += 1 }
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private static func isToken68(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~+/".utf8.contains(byte)
        }
    }
}
