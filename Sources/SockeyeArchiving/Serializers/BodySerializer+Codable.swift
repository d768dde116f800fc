import FoundationEssentials
public import Sockeye
import SockeyeCore
import SockeyePropertyLists
import SockeyeSerialization

extension BodySerializer: Codable {
    private enum CodingKeys: CodingKey { case serializers, fallbackCharset, options, removesNulls, handling }

    /// Reads the serializer that makes this value: of bytes, `Data`, text or any JSON, or of those to try in order, by their
    /// names. What is missing is the default.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a value that none of the library's serializers makes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let serializer = try Self.read(from: container) else {
            throw DecodingError.unknown("serializer of this value", at: decoder.codingPath)
        }
        self = serializer
        guard container.contains(.handling) else { return }
        try BodyHandling.archive.update(&handling, from: container.superDecoder(forKey: .handling))
    }

    private static func read(from container: KeyedDecodingContainer<CodingKeys>) throws -> Self? {
        if let archived = try container.decodeIfPresent([ArchivedSerializer<Value>].self, forKey: .serializers) {
            return .compound(archived.map(\.serializer))
        }
        if Value.self == Bytes.self { return BodySerializer<Bytes>.bytes as? Self }
        if Value.self == Data.self { return BodySerializer<Data>.data as? Self }
        if Value.self == String.self {
            let charset = try container.decodeIfPresent(String.self, forKey: .fallbackCharset)
            return BodySerializer<String>.text(fallbackCharset: charset ?? "utf-8") as? Self
        }
        guard Value.self == JSONValue.self else { return nil }
        let options = try container.decodeIfPresent(JSONValue.ReadingOptions.self, forKey: .options)
        let removesNulls = try container.decodeIfPresent(Bool.self, forKey: .removesNulls)
        let serializer = BodySerializer<JSONValue>.json(
            options: options ?? JSONValue.ReadingOptions(), removingNulls: removesNulls ?? false)
        return serializer as? Self
    }

    /// Writes handling and settings, and of several serializers each by its name.
    ///
    /// - Throws: `EncodingError.invalidValue` for a closure, such as a mapped serializer.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch format {
        case .closure: throw EncodingError.unarchivable("the serializer is a closure", at: encoder.codingPath)
        case .verbatim: break
        case .text(let charset): try container.encode(charset, forKey: .fallbackCharset)
        case .json(let options, let removesNulls):
            try container.encode(options, forKey: .options)
            try container.encode(removesNulls, forKey: .removesNulls)
        case .compound(let serializers):
            try container.encode(serializers.map { ArchivedSerializer($0) }, forKey: .serializers)
        }
        try container.encode(handling, forKey: .handling)
    }
}

/// One of the library's serializers among others, by its name.
private struct ArchivedSerializer<Value>: Codable {
    let serializer: any BodyResponseSerializer<Value>

    init(_ serializer: any BodyResponseSerializer<Value>) {
        self.serializer = serializer
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyCodingKey.self)
        let decodable = (Value.self as? any Decodable.Type).map { Self.serializers(of: $0) } ?? [:]
        let known = decodable.merging([Self.name: BodySerializer<Value>.self]) { first, _ in first }
        for (name, type) in known where container.contains(AnyCodingKey(stringValue: name)) {
            let serializer = try container.decode(type, forKey: AnyCodingKey(stringValue: name))
            guard let serializer = serializer as? any BodyResponseSerializer<Value> else { continue }
            self.serializer = serializer
            return
        }
        throw DecodingError.unknown("serializer of this value", at: decoder.codingPath)
    }

    private static func serializers<Decoded: Decodable>(of type: Decoded.Type) -> [String: any Decodable.Type] {
        ["json": JSONResponseSerializer<Decoded>.self, "propertyList": PropertyListResponseSerializer<Decoded>.self]
    }

    /// The name of the format of ``BodySerializer`` that makes this value.
    private static var name: String {
        if Value.self == JSONValue.self { return "jsonValue" }
        if Value.self == String.self { return "text" }
        if Value.self == Data.self { return "data" }
        return Value.self == Bytes.self ? "bytes" : "compound"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        switch serializer {
        case let known as any NamedSerializer:
            try container.encode(known, forKey: AnyCodingKey(stringValue: known.archivedName))
        case let known as BodySerializer<Value>:
            try container.encode(known, forKey: AnyCodingKey(stringValue: Self.name))
        default: throw EncodingError.unarchivable("the serializer is none of the library's", at: encoder.codingPath)
        }
    }
}

/// A serializer whose format names it among others.
private protocol NamedSerializer: Encodable {
    var archivedName: String { get }
}

extension DecodableResponseSerializer: NamedSerializer where Format: Codable {
    fileprivate var archivedName: String { Format.self == JSONResponseDecoder.self ? "json" : "propertyList" }
}
