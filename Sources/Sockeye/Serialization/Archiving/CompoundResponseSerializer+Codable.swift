extension CompoundResponseSerializer: Codable where Value: Decodable {
    private enum CodingKeys: CodingKey { case serializers, handling }

    /// Reads the serializers by their names.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(try container.decode([ArchivedSerializer<Value>].self, forKey: .serializers).map(\.serializer))
        try container.read(.handling, into: &handling)
    }

    /// Writes the serializers by their names.
    ///
    /// - Throws: `EncodingError.invalidValue` for one that is none of the library's, such as a mapped one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(serializers.map { ArchivedSerializer($0) }, forKey: .serializers)
        try container.encode(handling, forKey: .handling)
    }
}
