extension Headers: Codable {
    /// Encodes a list of pairs, `[["Accept", "text/html"]]`, because order and repeated fields matter. The list
    /// includes secret values, such as that of Authorization.
    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for (name, value) in self { try list.encode([name.text, value]) }
    }

    /// Decodes the form that ``encode(to:)`` writes. Invalid fields are accepted here and refused when they are sent.
    public init(from decoder: any Decoder) throws {
        self.init()
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd {
            var pair = try list.nestedUnkeyedContainer()
            append(Headers.Name(try pair.decode(String.self)), try pair.decode(String.self))
        }
    }
}
