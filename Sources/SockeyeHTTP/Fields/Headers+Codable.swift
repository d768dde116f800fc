extension Headers: Codable {
    /// Reads a list of names and values, `[["Accept", "text/html"]]`.
    public init(from decoder: any Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            var field = try container.nestedUnkeyedContainer()
            append(FieldName(try field.decode(String.self)), try field.decode(String.self))
        }
    }

    /// Writes a list of names and values: order and repetitions matter. Values are written as they are, secrets too.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for (name, value) in self {
            var pair = container.nestedUnkeyedContainer()
            try pair.encode(name.text)
            try pair.encode(value)
        }
    }
}
