import SockeyeCore

extension ResponseValidation: Codable {
    private enum CodingKeys: CodingKey { case statusCodes, contentTypes }

    /// Reads a validation; what is missing is the default. Null content types are any.
    public init(from decoder: any Decoder) throws {
        self.init()
        try update(from: decoder)
    }

    /// Replaces what an archive has, and leaves the rest.
    mutating func update(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try container.read(.statusCodes, into: &statusCodes)
        try container.read(.contentTypes, into: &contentTypes)
    }

    /// Writes both; null for any type, since no type at all would be the default of who reads it.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(statusCodes, forKey: .statusCodes)
        try container.encode(contentTypes, forKey: .contentTypes)
    }
}
