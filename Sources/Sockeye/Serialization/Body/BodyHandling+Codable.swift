import SockeyeCore

extension BodyHandling: Codable {
    private enum CodingKeys: CodingKey { case validation, limit, emptyBody, preprocessor }

    /// Reads a handling; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self.init()
        try update(from: decoder)
    }

    /// Replaces what an archive has, and leaves the rest: a serializer's handling has defaults of its own.
    mutating func update(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if container.contains(.validation) { try validation.update(from: container.superDecoder(forKey: .validation)) }
        try container.read(.limit, into: &limit)
        if container.contains(.emptyBody) { try emptyBody.update(from: container.superDecoder(forKey: .emptyBody)) }
        try container.read(.preprocessor, into: &preprocessor)
    }

    /// Writes the handling.
    ///
    /// - Throws: `EncodingError.invalidValue` for a preprocessor that is a closure.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(validation, forKey: .validation)
        try container.encode(limit, forKey: .limit)
        try container.encode(emptyBody, forKey: .emptyBody)
        try container.encodeIfPresent(preprocessor, forKey: .preprocessor)
    }
}

extension KeyedDecodingContainer {
    /// Updates a handling by what there is of one under `key`.
    func read(_ key: Key, into handling: inout BodyHandling) throws {
        if contains(key) { try handling.update(from: superDecoder(forKey: key)) }
    }
}
