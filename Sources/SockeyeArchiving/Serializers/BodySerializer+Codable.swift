public import Sockeye
import SockeyeCore
import SockeyeEssentials
import SockeyePropertyLists
import SockeyeSerialization

extension BodySerializer: Codable {
    private enum CodingKeys: CodingKey { case serializers, decoder, fallbackCharset, options, removesNulls, handling }

    /// Reads a serializer that makes values of the type `Value`. If the archive lists several serializers, the new one
    /// tries them in order for each response. If the archive contains a response decoder (for JSON or property lists),
    /// the serializer uses that decoder. Otherwise `Value` determines the serializer: the library has one each for
    /// bytes, `Data`, text, `JSONValue`, XML and images. Any other `Decodable` type is decoded as JSON. Missing
    /// settings take their defaults.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if no serializer of the library makes values of this type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let serializer = try Self.read(from: container, of: decoder) else {
            throw DecodingError.unknown("serializer of this value", at: decoder.codingPath)
        }
        self = serializer
        guard container.contains(.handling) else { return }
        try BodyHandling.archive.update(&handling, from: container.superDecoder(forKey: .handling))
    }

    private static func read(
        from container: KeyedDecodingContainer<CodingKeys>, of decoder: any Decoder
    ) throws -> Self? {
        if let serializers = try container.decodeIfPresent([Self].self, forKey: .serializers) {
            return .compound(serializers)
        }
        if let archived = try container.decodeIfPresent(ArchivedDecoder.self, forKey: .decoder) {
            return decoding(with: archived.decoder)
        }
        if let type = Value.self as? any FormattedValue.Type { return try serializer(of: type, from: decoder) }
        if Value.self == Bytes.self { return BodySerializer<Bytes>.bytes as? Self }
        if Value.self == Data.self { return BodySerializer<Data>.data as? Self }
        if Value.self == String.self {
            let charset = try container.decodeIfPresent(String.self, forKey: .fallbackCharset)
            return BodySerializer<String>.text(fallbackCharset: charset ?? "utf-8") as? Self
        }
        guard Value.self == JSONValue.self else { return decoding(with: JSONResponseDecoder()) }
        let options = try container.decodeIfPresent(JSONValue.ReadingOptions.self, forKey: .options)
        let removesNulls = try container.decodeIfPresent(Bool.self, forKey: .removesNulls)
        let serializer = BodySerializer<JSONValue>.json(
            options: options ?? JSONValue.ReadingOptions(), removingNulls: removesNulls ?? false)
        return serializer as? Self
    }

    private static func serializer<Formatted: FormattedValue>(
        of type: Formatted.Type, from decoder: any Decoder
    ) throws -> Self? {
        Formatted.serializer(try Formatted.Format(from: decoder)) as? Self
    }

    /// Returns a serializer that uses a decoder; nil if the value is not `Decodable`.
    private static func decoding(with decoder: some ResponseDecoder) -> Self? {
        func make<Decoded: Decodable>(_ type: Decoded.Type) -> Self? {
            BodySerializer<Decoded>(decoder: decoder) as? Self
        }
        guard let type = Value.self as? any Decodable.Type else { return nil }
        return make(type)
    }

    /// Writes `handling` (validation, size limit and treatment of empty bodies). Also writes the settings of the
    /// serializer, or its decoder, or its list of serializers in order.
    ///
    /// - Throws: `EncodingError.invalidValue` if the serializer has a custom decoder or contains a closure, such as the
    ///   transformation of a mapped serializer or a strategy of a JSON decoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch format {
        case is VerbatimFormat<Value>: break
        case let format as any DecoderFormat:
            try container.encode(ArchivedDecoder(format.anyDecoder), forKey: .decoder)
        case let format as CompoundFormat<Value>: try container.encode(format.serializers, forKey: .serializers)
        case let format as TextFormat: try container.encode(format.fallbackCharset, forKey: .fallbackCharset)
        case let format as JSONValueFormat:
            try container.encode(format.options, forKey: .options)
            try container.encode(format.removesNulls, forKey: .removesNulls)
        case let format as any Encodable: try format.encode(to: encoder)
        default: throw EncodingError.unarchivable("the serializer is a closure", at: encoder.codingPath)
        }
        try container.encode(handling, forKey: .handling)
    }
}
