public import SockeyePropertyLists
public import SockeyeSerialization

extension JSONValue.ReadingOptions: Codable {
    private static let archive = Archive<Self>(
        .value("duplicateKeys", \.duplicateKeys), .value("allowsFragments", \.allowsFragments),
        .value("maximumDepth", \.maximumDepth), .value("maximumSize", \.maximumSize))

    /// Reads options. Missing options take their defaults.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes all options.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

/// Archived as its raw value.
extension JSONValue.ReadingOptions.DuplicateKeys: Codable {}

/// Archived as its raw value.
extension JSONValue.WritingOptions: Codable {}

extension PropertyListResponseDecoder: Codable {
    /// Reads nothing, because this decoder has no settings.
    public init(from decoder: any Decoder) throws { self.init() }

    /// Writes an empty object, because this decoder has no settings.
    public func encode(to encoder: any Encoder) throws { try Archive<Self>().write(self, to: encoder) }
}

extension JSONResponseDecoder: Codable {
    /// Reads the strategies of the JSON decoder. Missing strategies take their defaults.
    public init(from decoder: any Decoder) throws {
        self.init(try ArchivedJSONDecoder(from: decoder).makeDecoder(at: decoder.codingPath))
    }

    /// Writes the strategies of the JSON decoder.
    ///
    /// - Throws: `EncodingError.invalidValue` if a strategy is a closure.
    public func encode(to encoder: any Encoder) throws {
        try ArchivedJSONDecoder(decoder, at: encoder.codingPath).encode(to: encoder)
    }
}
