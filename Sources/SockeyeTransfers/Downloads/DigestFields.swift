import SockeyeEssentials
package import SockeyeHTTP

/// The parser of digest fields: Repr-Digest (RFC 9530 3), and its predecessor Digest (RFC 3230).
package enum DigestFields {
    /// Returns the supported checksums, at most one per algorithm. If both fields have a checksum of the same
    /// algorithm, that of Repr-Digest counts.
    ///
    /// If Repr-Digest is not a valid dictionary, the whole field is ignored, as RFC 9651 4.2 requires. Unsupported
    /// algorithms, and checksums with a wrong length, are ignored individually.
    package static func checksums(reprDigest: [String], digest: [String]) -> [Checksum] {
        var found: [Checksum] = []
        for checksum in dictionary(reprDigest) + legacy(digest)
        where !found.contains(where: { $0.algorithm == checksum.algorithm }) {
            found.append(checksum)
        }
        return found
    }

    private static func dictionary(_ values: [String]) -> [Checksum] {
        guard let members = ByteSequenceDictionary.parse(values) else { return [] }
        return Checksum.Algorithm.allCases.compactMap { algorithm in
            members[algorithm.rawValue].flatMap { Checksum(algorithm, bytes: $0) }
        }
    }

    /// Parses `SHA-256=base64,unixsum=30637`: a list with case-insensitive names (RFC 3230 4.1.1).
    private static func legacy(_ values: [String]) -> [Checksum] {
        var found: [Checksum] = []
        for value in values {
            var scan = FieldScanner(value.utf8Span.span)
            while let member = scan.member() {
                var item = scan.subscanner(member)
                let name = item.take { $0 != UInt8(ascii: "=") }
                guard item.skip(UInt8(ascii: "=")), item.allSatisfy(name, ByteClass.isToken),
                    let algorithm = Checksum.Algorithm(rawValue: item.lowercased(name)),
                    let bytes = Data(base64Encoded: item.string(item.position..<member.count)),
                    let checksum = Checksum(algorithm, bytes: bytes)
                else { continue }
                found.append(checksum)
            }
        }
        return found
    }
}

/// The byte sequences among the members of a structured-field dictionary (RFC 9651 3.2).
///
/// Items of other types are parsed as well, because one malformed item makes the whole field invalid. They are not
/// returned. Inner lists and Display Strings count as errors although RFC 9651 allows them: digest fields do not have
/// them.
package enum ByteSequenceDictionary {
    /// Parses the values of a field; nil if it is malformed. The last of several members with the same name counts.
    package static func parse(_ values: [String]) -> [String: [UInt8]]? {
        let text = values.joined(separator: ", ")
        var scan = StructuredFieldScanner(text.utf8Span.span)
        var members: [String: [UInt8]] = [:]
        while !scan.isAtEnd {
            guard let key = scan.key() else { return nil }
            // A key without a value is the boolean true. It, too, replaces an earlier member with the same name.
            members[key] = nil
            if scan.skip(UInt8(ascii: "=")) {
                guard let item = scan.item() else { return nil }
                if case .bytes(let bytes) = item { members[key] = bytes }
            }
            guard scan.skipParameters() else { return nil }
            scan.skipBlanks()
            if scan.isAtEnd { return members }
            guard scan.skip(UInt8(ascii: ",")) else { return nil }
            scan.skipBlanks()
            // A comma at the end is an error.
            if scan.isAtEnd { return nil }
        }
        return members
    }
}

/// A cursor over a structured field (RFC 9651 4.2). Its tokens, strings and parameters differ from those of RFC 9110
/// 5.6, which ``FieldScanner`` reads.
private struct StructuredFieldScanner: ~Escapable {
    /// An item; only the values of byte sequences are stored.
    enum Item {
        case bytes([UInt8])
        case other
    }

    private var scan: FieldScanner

    @_lifetime(copy text)
    init(_ text: Span<UInt8>) {
        scan = FieldScanner(text)
        skipSpaces()
    }

    var isAtEnd: Bool { scan.isAtEnd }

    @_lifetime(self: copy self)
    mutating func skip(_ byte: UInt8) -> Bool { scan.skip(byte) }
    mutating func skipSpaces() { _ = scan.take { $0 == ByteClass.space } }
    mutating func skipBlanks() { scan.skipBlanks() }

    /// Takes a key: lower-case letters, digits and `_-.*`, beginning with a letter or `*`. Nil if no key follows.
    mutating func key() -> String? {
        guard let first = scan.peek, (0x61...0x7A).contains(first) || first == UInt8(ascii: "*") else { return nil }
        return scan.string(
            scan.take { (0x61...0x7A).contains($0) || ByteClass.isDigit($0) || "_-.*".utf8.contains($0) })
    }

    /// Skips the parameters of a member; false if they are malformed.
    mutating func skipParameters() -> Bool {
        while skip(UInt8(ascii: ";")) {
            skipSpaces()
            guard key() != nil else { return false }
            if skip(UInt8(ascii: "=")), item() == nil { return false }
        }
        return true
    }

    /// Takes a bare item; nil if it is malformed.
    mutating func item() -> Item? {
        guard let first = scan.peek else { return nil }
        switch first {
        case UInt8(ascii: ":"): return byteSequence().map { .bytes($0) }
        case UInt8(ascii: "\""): return string() ? .other : nil
        case UInt8(ascii: "?"):
            _ = skip(first)
            return skip(UInt8(ascii: "0")) || skip(UInt8(ascii: "1")) ? .other : nil
        case UInt8(ascii: "@"):
            // A date is an integer (RFC 9651 4.2.9).
            _ = skip(first)
            return integer() == nil ? nil : .other
        case UInt8(ascii: "-"), 0x30...0x39: return number() ? .other : nil
        default: return token() ? .other : nil
        }
    }

    private mutating func byteSequence() -> [UInt8]? {
        let (colon, equals) = (UInt8(ascii: ":"), UInt8(ascii: "="))
        _ = skip(colon)
        let bare = scan.take { $0 != colon && $0 != equals }
        // Padding may be missing (RFC 9651 4.2.7).
        guard scan.take({ $0 == equals }).count <= 2, skip(colon) else { return nil }
        let padding = String(repeating: "=", count: (4 - bare.count % 4) % 4)
        return Data(base64Encoded: scan.string(bare) + padding).map { Array($0) }
    }

    private mutating func string() -> Bool {
        let quote = UInt8(ascii: "\"")
        let backslash = UInt8(ascii: "\\")
        guard skip(quote) else { return false }
        while true {
            _ = scan.take { (0x20...0x7E).contains($0) && $0 != quote && $0 != backslash }
            if skip(quote) { return true }
            guard skip(backslash), skip(quote) || skip(backslash) else { return false }
        }
    }

    /// Takes an integer; returns the number of its digits. Nil unless it has 1 to 15 digits.
    private mutating func integer() -> Int? {
        _ = skip(UInt8(ascii: "-"))
        let digits = scan.take(ByteClass.isDigit).count
        return (1...15).contains(digits) ? digits : nil
    }

    private mutating func number() -> Bool {
        guard let digits = integer() else { return false }
        guard skip(UInt8(ascii: ".")) else { return true }
        return digits <= 12 && (1...3).contains(scan.take(ByteClass.isDigit).count)
    }

    private mutating func token() -> Bool {
        guard let first = scan.peek, ASCIISet.letters.contains(first) || first == UInt8(ascii: "*") else {
            return false
        }
        _ = scan.take { ByteClass.isToken($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
        return true
    }
}
