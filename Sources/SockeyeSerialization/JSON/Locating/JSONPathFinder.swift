/// Finds the place of a coding path in a JSON text, valid or not, in one pass and without keeping anything of it.
struct JSONPathFinder: ~Escapable {
    private let bytes: Span<UInt8>
    private var position: Int

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, from start: Int) {
        self.bytes = bytes
        position = start
    }

    /// Where the value at `path` starts, or the innermost one on the way there.
    mutating func offset(of path: [any CodingKey]) -> Int {
        skipBlanks()
        var found = position
        for key in path {
            guard enter(key) else { break }
            found = position
        }
        return found
    }

    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Steps to the member or element `key` of the container that starts here.
    private mutating func enter(_ key: any CodingKey) -> Bool {
        switch byte {
        case UInt8(ascii: "["): key.intValue.map { enterElement($0) } ?? false
        case UInt8(ascii: "{"): enterMember(key.stringValue)
        default: false
        }
    }

    private mutating func enterElement(_ index: Int) -> Bool {
        position += 1
        skipBlanks()
        for _ in 0..<max(index, 0) {
            skipValue()
            guard skipSeparator(UInt8(ascii: ",")) else { return false }
        }
        return byte != nil && byte != UInt8(ascii: "]")
    }

    /// The member of just this name counts before one whose name a decoder may have converted to it.
    private mutating func enterMember(_ name: String) -> Bool {
        var similar: Int?
        position += 1
        skipBlanks()
        while byte == UInt8(ascii: "\"") {
            let key = key()
            guard skipSeparator(UInt8(ascii: ":")) else { break }
            if key == name { return byte != nil }
            if similar == nil, Self.plain(key) == Self.plain(name) { similar = position }
            skipValue()
            guard skipSeparator(UInt8(ascii: ",")) else { break }
        }
        guard let similar else { return false }
        position = similar
        return byte != nil
    }

    private static func plain(_ key: String) -> String {
        key.lowercased().filter { $0 != "_" && $0 != "-" }
    }

    private mutating func skipBlanks() {
        while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func skipSeparator(_ separator: UInt8) -> Bool {
        skipBlanks()
        guard byte == separator else { return false }
        position += 1
        skipBlanks()
        return true
    }

    /// The key that starts here, without its escapes; empty if it is broken.
    private mutating func key() -> String {
        let start = position
        skipString()
        var parser = JSONParser(bytes.extracting(start..<position), options: JSONReadingOptions())
        return (try? parser.string()) ?? ""
    }

    private mutating func skipString() {
        position += 1
        while let byte, byte != UInt8(ascii: "\"") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
        position = min(position + 1, bytes.count)
    }

    /// Steps behind a value, or to the end if it has none.
    private mutating func skipValue() {
        var depth = 0
        while let byte {
            switch byte {
            case UInt8(ascii: "\""):
                skipString()
                if depth == 0 { return }
                continue
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                guard depth > 0 else { return }
                depth -= 1
                if depth == 0 {
                    position += 1
                    return
                }
            case UInt8(ascii: ",") where depth == 0: return
            default: break
            }
            position += 1
        }
    }
}
