extension Headers: Codable {
    /// Writes a list of pairs, `[["Accept", "text/html"]]`: order and repeated fields matter. Secret values are written, too.
    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for (name, value) in self { try list.encode([name.text, value]) }
    }

    /// Reads what ``encode(to:)`` writes. As everywhere, a field that is invalid is refused when it is sent.
    public init(from decoder: any Decoder) throws {
        self.init()
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd {
            var pair = try list.nestedUnkeyedContainer()
            append(Headers.Name(try pair.decode(String.self)), try pair.decode(String.self))
        }
    }
}
