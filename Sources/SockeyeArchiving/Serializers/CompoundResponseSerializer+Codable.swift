import SockeyePropertyLists

extension CompoundResponseSerializer: Codable where Value: Decodable {
    private enum CodingKeys: CodingKey { case serializers, handling }

    /// Reads the serializers by their names.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(try container.decode([ArchivedSerializer<Value>].self, forKey: .serializers).map(\.serializer))
        guard container.contains(.handling) else { return }
        try BodyHandling.archive.update(&handling, from: container.superDecoder(forKey: .handling))
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

/// One of the library's serializers among others, by its name.
private struct ArchivedSerializer<Value: Decodable>: Codable {
    private enum CodingKeys: CodingKey { case json, propertyList, jsonValue, text, data, bytes }

    let serializer: any BodyResponseSerializer<Value>

    init(_ serializer: any BodyResponseSerializer<Value>) {
        self.serializer = serializer
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func read<Serializer: BodyResponseSerializer & Decodable>(
            _ key: CodingKeys, _ type: Serializer.Type
        ) throws -> (any BodyResponseSerializer<Value>)? {
            guard container.contains(key) else { return nil }
            return try container.decode(type, forKey: key) as? any BodyResponseSerializer<Value>
        }
        let found =
            try read(.json, JSONResponseSerializer<Value>.self)
            ?? read(.propertyList, PropertyListResponseSerializer<Value>.self)
            ?? read(.jsonValue, JSONValueResponseSerializer.self) ?? read(.text, TextResponseSerializer.self)
            ?? read(.data, DataResponseSerializer.self) ?? read(.bytes, BytesResponseSerializer.self)
        guard let found else { throw DecodingError.unknown("serializer of this value", at: decoder.codingPath) }
        serializer = found
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch serializer {
        case let known as JSONResponseSerializer<Value>: try container.encode(known, forKey: .json)
        case let known as PropertyListResponseSerializer<Value>: try container.encode(known, forKey: .propertyList)
        case let known as JSONValueResponseSerializer: try container.encode(known, forKey: .jsonValue)
        case let known as TextResponseSerializer: try container.encode(known, forKey: .text)
        case let known as DataResponseSerializer: try container.encode(known, forKey: .data)
        case let known as BytesResponseSerializer: try container.encode(known, forKey: .bytes)
        default: throw EncodingError.unarchivable("the serializer is none of the library's", at: encoder.codingPath)
        }
    }
}
