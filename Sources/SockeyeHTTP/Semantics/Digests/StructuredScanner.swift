import FoundationEssentials

/// Walks over a structured field byte by byte (RFC 9651 4.2).
struct StructuredScanner {
    /// An item, as far as anybody here looks at it.
    enum Item {
        case bytes([UInt8])
        case other
    }

    private var rest: Substring.UTF8View

    init(_ text: String) {
        var view = text[...].utf8
        while let last = view.last, last == ByteClass.space { view = view.dropLast() }
        rest = view
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard let first = rest.first, UInt32(first) == character.value else { return false }
        rest = rest.dropFirst()
        return true
    }

    mutating func skipSpaces() { rest = rest.drop { $0 == ByteClass.space } }
    mutating func skipBlanks() { rest = rest.drop(while: ByteClass.isBlank) }

    private mutating func take(_ matches: (UInt8) -> Bool) -> Substring.UTF8View {
        let taken = rest.prefix(while: matches)
        rest = rest[taken.endIndex...]
        return taken
    }

    /// `lcalpha`, digits and some marks, not beginning with a digit.
    mutating func key() -> String? {
        guard let first = rest.first, (0x61...0x7A).contains(first) || first == UInt8(ascii: "*") else { return nil }
        return String(
            Substring(take { (0x61...0x7A).contains($0) || ByteClass.isDigit($0) || "_-.*".utf8.contains($0) }))
    }

    /// Parameters of a member; false when they are malformed.
    mutating func skipParameters() -> Bool {
        while skip(";") {
            skipSpaces()
            guard key() != nil else { return false }
            if skip("="), item() == nil { return false }
        }
        return true
    }

    /// A bare item.
    mutating func item() -> Item? {
        guard let first = rest.first else { return nil }
        switch first {
        case UInt8(ascii: ":"): return byteSequence().map { .bytes($0) }
        case UInt8(ascii: "\""): return string() ? .other : nil
        case UInt8(ascii: "?"):
            _ = skip("?")
            return skip("0") || skip("1") ? .other : nil
        case UInt8(ascii: "@"):
            _ = skip("@")
            return number() ? .other : nil
        case UInt8(ascii: "-"), 0x30...0x39: return number() ? .other : nil
        default: return token() ? .other : nil
        }
    }

    private mutating func byteSequence() -> [UInt8]? {
        _ = skip(":")
        let text = take { $0 != UInt8(ascii: ":") }
        guard skip(":") else { return nil }
        // Padding may be missing (RFC 9651 4.2.7).
        let bare = String(Substring(text.prefix { $0 != UInt8(ascii: "=") }))
        guard text.count - bare.utf8.count <= 2, text.dropFirst(bare.utf8.count).allSatisfy({ $0 == 0x3D }) else {
            return nil
        }
        let padding = String(repeating: "=", count: (4 - bare.utf8.count % 4) % 4)
        return Data(base64Encoded: bare + padding).map { Array($0) }
    }

    private mutating func string() -> Bool {
        _ = skip("\"")
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst(), escaped == 0x22 || escaped == 0x5C else { return false }
            case 0x20...0x7E: continue
            default: return false
            }
        }
        return false
    }

    private mutating func number() -> Bool {
        _ = skip("-")
        let whole = take(ByteClass.isDigit)
        guard (1...15).contains(whole.count) else { return false }
        guard skip(".") else { return true }
        return whole.count <= 12 && (1...3).contains(take(ByteClass.isDigit).count)
    }

    private mutating func token() -> Bool {
        guard let first = rest.first, ASCIISet.letters.contains(first) || first == UInt8(ascii: "*") else {
            return false
        }
        _ = take { ASCIISet.token.contains($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
        return true
    }
}
