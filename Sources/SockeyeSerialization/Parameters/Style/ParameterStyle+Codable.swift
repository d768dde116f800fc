extension ParameterStyle: Codable {
    private enum CodingKeys: String, CodingKey {
        case arrays, sets, nesting, booleans, dates, data, nulls, nonFinite, keyCase, spaces, order
    }

    /// Reads the names of choices; one that is missing is the standard style's.
    ///
    /// - Throws: `DecodingError` for a name that no choice has.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func read<Choice: NamedChoice>(_ key: CodingKeys, _ choice: inout Choice) throws {
            guard let name = try container.decodeIfPresent(String.self, forKey: key) else { return }
            guard let found = Choice.named.first(where: { $0.name == name }) else {
                let known = Choice.named.compactMap(\.name).joined(separator: ", ")
                throw DecodingError.dataCorruptedError(
                    forKey: key, in: container, debugDescription: "no choice has this name; there are \(known)")
            }
            choice = found
        }
        self.init()
        try read(.arrays, &arrays)
        try read(.sets, &sets)
        try read(.nesting, &nesting)
        try read(.booleans, &booleans)
        try read(.dates, &dates)
        try read(.data, &data)
        try read(.nulls, &nulls)
        try read(.nonFinite, &nonFinite)
        try read(.keyCase, &keyCase)
        try read(.spaces, &spaces)
        try read(.order, &order)
    }

    /// Writes the names of all choices.
    ///
    /// - Throws: `EncodingError` if one of them is a closure, or the style is (``custom(_:)``).
    public func encode(to encoder: any Encoder) throws {
        guard whole == nil else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: "the style is a closure"))
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        func write(_ key: CodingKeys, _ choice: some NamedChoice) throws {
            guard let name = choice.name else {
                throw EncodingError.invalidValue(
                    choice, .init(codingPath: encoder.codingPath + [key], debugDescription: "the choice is a closure"))
            }
            try container.encode(name, forKey: key)
        }
        try write(.arrays, arrays)
        try write(.sets, sets)
        try write(.nesting, nesting)
        try write(.booleans, booleans)
        try write(.dates, dates)
        try write(.data, data)
        try write(.nulls, nulls)
        try write(.nonFinite, nonFinite)
        try write(.keyCase, keyCase)
        try write(.spaces, spaces)
        try write(.order, order)
    }
}
