#if XML
import SockeyeCore

/// The general entities of a document (XML 1.0, 4) and the limit on their expansion, against "billion laughs" attacks.
///
/// libxml2 reports declarations and references without expanding them. This type expands references, to text only, and
/// counts the bytes. The cost of an expansion is therefore limited with every version of libxml2.
struct XMLEntities {
    enum Content {
        /// The replacement text, in which character references are resolved and entity references are not.
        case text(String)
        case external
        case unparsed
    }

    /// The contents of the entities, by the UTF-8 bytes of their names. XML compares names by code points (XML 1.0,
    /// 1.2). With strings as keys, canonically equivalent names would be equal, and a name of many combining marks
    /// would take seconds to hash.
    private var contents: [[UInt8]: Content] = [:]
    private var budget: Int
    private let limit: Int

    /// The maximum depth of references between entities. It also ends the expansion of an entity that contains itself.
    private static let maximumDepth = 32

    init(limit: Int) {
        self.limit = limit
        budget = max(0, limit)
    }

    /// Declares an entity. If it is declared several times, the first declaration counts (XML 1.0, 4.2).
    mutating func declare(_ name: String, _ content: Content) {
        let key = Array(name.utf8)
        if contents[key] == nil { contents[key] = content }
    }

    /// Checks that an entity may be referenced.
    ///
    /// - Throws: A fault if the entity is not declared, is external, or is unparsed data.
    func check(_ name: String) throws(XMLFault) {
        _ = try text(of: name)
    }

    /// Returns the replacement text of an entity, in which entity references are not resolved.
    private func text(of name: String) throws(XMLFault) -> String {
        switch contents[Array(name.utf8)] {
        case .text(let text): return text
        case .external:
            throw XMLFault(
                .externalEntity, "the entity '\(Self.shown(name))' is external; external entities are not loaded")
        case .unparsed:
            throw XMLFault(.unsupportedEntity, "the entity '\(Self.shown(name))' is unparsed data, not text")
        case nil:
            throw XMLFault(.undeclaredEntity, "the entity '\(Self.shown(name))' is not declared in the document")
        }
    }

    /// Counts bytes that the DTD adds to the document. Throws if the total exceeds the limit.
    mutating func spend(_ bytes: Int) throws(XMLFault) {
        budget -= bytes
        guard budget >= 0 else {
            throw XMLFault(.tooMuchExpansion, "entities and defaults of the DTD exceed the limit of \(limit) bytes")
        }
    }

    /// Returns the text of an entity with all its references expanded.
    mutating func expansion(of name: String) throws(XMLFault) -> String {
        var output = ""
        try expand(name, into: &output, depth: 1)
        return output
    }

    /// Returns an attribute's value with its entity references replaced.
    mutating func resolve(_ value: String) throws(XMLFault) -> String {
        guard value.utf8.contains(UInt8(ascii: "&")) else { return value }
        var output = ""
        try replace(value, into: &output, depth: 0)
        return output
    }

    private mutating func expand(_ name: String, into output: inout String, depth: Int) throws(XMLFault) {
        if let letter = Self.predefined[Array(name.utf8)] {
            output.append(letter)
            return
        }
        let text = try text(of: name)
        guard depth <= Self.maximumDepth else {
            throw XMLFault(.tooMuchExpansion, "entities are nested deeper than \(Self.maximumDepth) levels")
        }
        // One extra byte, because even a reference to an empty entity takes time.
        try spend(text.utf8.count + 1)
        guard !text.utf8.contains(UInt8(ascii: "<")) else {
            throw XMLFault(.unsupportedEntity, "the entity '\(Self.shown(name))' contains markup")
        }
        try replace(text, into: &output, depth: depth)
    }

    private mutating func replace(_ text: String, into output: inout String, depth: Int) throws(XMLFault) {
        var rest = text[...]
        while let start = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
            output += rest[..<start]
            guard let end = rest[start...].utf8.firstIndex(of: UInt8(ascii: ";")) else {
                throw XMLFault(.malformed, "a reference does not end with ';'")
            }
            let name = rest[rest.utf8.index(after: start)..<end]
            if name.utf8.first == UInt8(ascii: "#") {
                output.unicodeScalars.append(try Self.character(name.dropFirst()))
            } else {
                try expand(String(name), into: &output, depth: depth + 1)
            }
            rest = rest[rest.utf8.index(after: end)...]
        }
        output += rest
    }

    /// Returns the character of a character reference, given its digits, such as `38` or `x26`.
    private static func character(_ digits: Substring) throws(XMLFault) -> Unicode.Scalar {
        let isHexadecimal = digits.utf8.first == UInt8(ascii: "x")
        let number = isHexadecimal ? digits.dropFirst() : digits
        // UInt32 would accept a sign.
        let value = number.utf8.first == UInt8(ascii: "+") ? nil : UInt32(number, radix: isHexadecimal ? 16 : 10)
        guard let scalar = value.flatMap(Unicode.Scalar.init), isAllowed(scalar) else {
            throw XMLFault(.invalidCharacter, "a reference names a character that XML does not allow")
        }
        return scalar
    }

    /// Returns true if XML allows the character (XML 1.0, 2.2).
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x20
            ? scalar.value != 0xFFFE && scalar.value != 0xFFFF : [0x09, 0x0A, 0x0D].contains(scalar.value)
    }

    private static let predefined: [[UInt8]: Character] = [
        Array("amp".utf8): "&", Array("lt".utf8): "<", Array("gt".utf8): ">", Array("quot".utf8): "\"",
        Array("apos".utf8): "'",
    ]

    private static func shown(_ name: String) -> String { name.start(ofScalars: 80) }
}
#endif
