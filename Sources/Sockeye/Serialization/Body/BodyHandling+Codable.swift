import SockeyeCore

extension BodyHandling: Codable {
    private enum CodingKeys: CodingKey { case validation, limit, emptyBody, preprocessor }

    /// Reads a handling; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try container.read(.validation, into: &validation)
        try container.read(.limit, into: &limit)
        try container.read(.emptyBody, into: &emptyBody)
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
