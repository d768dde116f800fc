public import SockeyeCore

/// Finds the offset of the value at a coding path in a JSON text, in linear time and without a copy of the text. The
/// text need not be valid.
struct JSONPathFinder: ~Escapable {
    private let bytes: Span<UInt8>
    private var position: Int
    /// The number of bytes that `enterMember` may still read in search of a member's exact name after it has found a
    /// similar one. If there is no exact name, it returns to the similar one, and these bytes are read again. The
    /// budget is checked only at the first similar name in an object, so the search in one object may exceed the
    /// budget.
    private var budget: Int

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, from start: Int) {
        self.bytes = bytes
        position = start
        budget = 4 * bytes.count
    }

    /// Returns the start of the value at `path`. If there is no such value, returns the start of the innermost existing
    /// value on the path.
    @_lifetime(self: copy self)
    mutating func offset(of path: [any CodingKey]) -> Int {
        skipBlanks()
        var found = position
        for key in path {
            guard enter(key) else { break }
            found = position
        }
        return found
    }

    /// The byte at the current position; nil at the end of the text.
    private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Moves to the member or element `key` of the container that starts here. Returns false if there is no such value.
    @_lifetime(self: copy self)
    private mutating func enter(_ key: any CodingKey) -> Bool {
        switch byte {
        case UInt8(ascii: "["): key.intValue.map { enterElement($0) } ?? false
        case UInt8(ascii: "{"): enterMember(key.stringValue)
        default: false
        }
    }

    @_lifetime(self: copy self)
    private mutating func enterElement(_ index: Int) -> Bool {
        position += 1
        skipBlanks()
        for _ in 0..<max(index, 0) {
            skipValue()
            guard skipSeparator(UInt8(ascii: ",")) else { return false }
        }
        return byte != nil && byte != UInt8(ascii: "]")
    }

    /// Moves to the value of the member named `name`. If there is no such member, moves to the first member with a
    /// similar name, because a decoder may have converted the name. A similar name differs only in case, `_` or `-`,
    /// such as `user_name` for `userName`. Returns false if there is no member with a similar name either.
    ///
    /// If the budget is used up, moves to the first member with the same or a similar name. Without this limit, the
    /// search could read the whole rest of the text again at each level of nesting.
    @_lifetime(self: copy self)
    private mutating func enterMember(_ name: String) -> Bool {
        var similar: Int?
        // Computed once, because converting a long `name` again for each of many keys would take quadratic time. `name`
        // is usually a property of a type of the program. But if this object is decoded as a dictionary, `name` is a
        // key that the peer chose.
        let plainName = Self.plain(name)
        position += 1
        skipBlanks()
        while byte == UInt8(ascii: "\"") {
            let key = key()
            guard skipSeparator(UInt8(ascii: ":")) else { break }
            if key == name { return byte != nil }
            if similar == nil, Self.plain(key) == plainName {
                similar = position
                if budget <= 0 { break }
            }
            let start = position
            skipValue()
            if similar != nil { budget -= position - start }
            guard skipSeparator(UInt8(ascii: ",")) else { break }
        }
        guard let similar else { return false }
        position = similar
        return byte != nil
    }

    /// Returns a key in the form in which similar keys are equal: in lower case, without `_` and `-`.
    private static func plain(_ key: String) -> String {
        key.lowercased().filter { $0 != "_" && $0 != "-" }
    }

    private mutating func skipBlanks() {
        while let byte, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    @_lifetime(self: copy self)
    private mutating func skipSeparator(_ separator: UInt8) -> Bool {
        skipBlanks()
        guard byte == separator else { return false }
        position += 1
        skipBlanks()
        return true
    }

    /// Reads the key that starts here, with its escapes decoded; empty if it is invalid.
    private mutating func key() -> String {
        let start = position
        skipString()
        var parser = JSONParser(bytes.extracting(start..<position), options: JSONValue.ReadingOptions())
        return (try? parser.string()) ?? ""
    }

    private mutating func skipString() {
        position += 1
        while let byte, byte != UInt8(ascii: "\"") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
        position = min(position + 1, bytes.count)
    }

    /// Moves past a value, or to the end of the text if the value is truncated.
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

extension JSONError.Excerpt {
    /// Creates the excerpt of `body` at the place of a decoder's error.
    ///
    /// The place is usually the value at the error's coding path. If a key is missing, the place is the object that
    /// lacks the key. If the JSON is invalid, the place is the syntax error. Keys that the decoder converted
    /// (`userName` for `user_name`) are found, too. If the path does not exist, for example in a truncated body, the
    /// place is the innermost existing value on the path.
    public init(_ body: Bytes, for error: DecodingError) {
        self = unsafe body.withUnsafeBytes { unsafe JSONError.Excerpt($0.bindMemory(to: UInt8.self).span, for: error) }
    }

    /// Creates the excerpt of `body` at the value at `path`, or at the innermost existing value on the path.
    public init(_ body: Bytes, at path: [any CodingKey]) {
        self = unsafe body.withUnsafeBytes { unsafe JSONError.Excerpt($0.bindMemory(to: UInt8.self).span, at: path) }
    }

    private init(_ bytes: Span<UInt8>, for error: DecodingError) {
        switch error {
        case .dataCorrupted(let context) where context.underlyingError is JSONError:
            self = (context.underlyingError as? JSONError)?.excerpt ?? JSONError.Excerpt(bytes, at: context.codingPath)
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            // The body is probably not JSON at all; a strict parser reports the place of the error.
            do throws(JSONError) {
                _ = try JSONReader(options: JSONValue.ReadingOptions(maximumSize: bytes.count)).value(bytes)
                self.init(bytes, at: [])
            } catch {
                self = error.excerpt
            }
        case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
            .valueNotFound(_, let context):
            self.init(bytes, at: context.codingPath)
        @unknown default: self.init(bytes, at: [])
        }
    }

    private init(_ bytes: Span<UInt8>, at path: [any CodingKey]) {
        let form = JSONTextForm(detecting: bytes)
        guard !form.isUTF8 else {
            var finder = JSONPathFinder(bytes, from: form.markLength)
            self.init(bytes, at: finder.offset(of: path))
            return
        }
        let text = form.transcoded(bytes).utf8
        var finder = JSONPathFinder(text.span, from: 0)
        self.init(text.span, at: finder.offset(of: path))
    }
}
