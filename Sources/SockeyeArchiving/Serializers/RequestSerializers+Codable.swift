public import Sockeye
import SockeyeEssentials
public import SockeyePropertyLists
import SockeyeSerialization

extension ParameterSerializer.Options: Codable {
    private static let archive = Archive<Self>(
        .value("queryStyle", \.queryStyle), .value("placement", \.placement), .value("headers", \.headers),
        .value("requestOptions", \.requestOptions))

    /// Reads settings. Missing settings take their defaults.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes the settings.
    ///
    /// - Throws: `EncodingError.invalidValue` if `queryStyle` is or contains a closure, or if `requestOptions` cannot
    ///   be archived.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

extension ParameterSerializer.Placement: Codable {
    private enum CodingKeys: CodingKey { case methodsInURI }

    /// Reads the names of the methods that send parameters in the URL. Without this list, all methods send parameters
    /// in the URL.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(methodsInURI: try container.decodeIfPresent([String].self, forKey: .methodsInURI))
    }

    /// Writes the names of the methods.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(methodsInURI, forKey: .methodsInURI)
    }
}

/// Archived as its raw value.
extension ParameterSerializer.Charset: Codable {}

/// Archived as its raw value.
extension PropertyListFormat: Codable {}

extension ParameterSerializer: Codable {
    private enum CodingKeys: CodingKey { case form, json, propertyList }
    private enum SettingKeys: CodingKey { case options, formStyle, charset, encoder, format }
    private typealias Container = KeyedDecodingContainer<SettingKeys>

    /// Reads a serializer. The key of its settings names its format: `form`, `json` or `propertyList`. Missing settings
    /// take their defaults.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let key = container.allKeys.first else {
            throw DecodingError.unknown("request serializer", at: decoder.codingPath)
        }
        let values = try container.nestedContainer(keyedBy: SettingKeys.self, forKey: key)
        let options = try values.decodeIfPresent(ParameterSerializer.Options.self, forKey: .options)
        self.init(try Self.format(key, from: values), options: options ?? ParameterSerializer.Options())
    }

    private static func format(_ key: CodingKeys, from values: Container) throws -> any ParameterFormat {
        switch key {
        case .form:
            let style = try values.decodeIfPresent(RequestParameters.Style.self, forKey: .formStyle)
            let charset = try values.decodeIfPresent(Charset.self, forKey: .charset)
            return FormFormat(style: style, charset: charset ?? .utf8)
        case .json:
            let strategies = try values.decodeIfPresent(ArchivedJSONEncoder.self, forKey: .encoder)
            return JSONParameterFormat(encoder: try strategies?.makeEncoder(at: values.codingPath))
        case .propertyList:
            let format = try values.decodeIfPresent(PropertyListFormat.self, forKey: .format)
            return PropertyListParameterFormat(format: format ?? .xml)
        }
    }

    /// Writes the settings of the serializer under a key that names the format.
    ///
    /// - Throws: `EncodingError.invalidValue` if the format, the form style or a strategy of the JSON encoder is or
    ///   contains a closure, or if `options` cannot be archived (see `encode(to:)` of `ParameterSerializer.Options`).
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        var values: KeyedEncodingContainer<SettingKeys>
        switch format {
        case let format as FormFormat:
            values = container.nestedContainer(keyedBy: SettingKeys.self, forKey: .form)
            try values.encodeIfPresent(format.style, forKey: .formStyle)
            try values.encode(format.charset, forKey: .charset)
        case let format as JSONParameterFormat:
            values = container.nestedContainer(keyedBy: SettingKeys.self, forKey: .json)
            try values.encode(ArchivedJSONEncoder(format.encoder, at: encoder.codingPath), forKey: .encoder)
        case let format as PropertyListParameterFormat:
            values = container.nestedContainer(keyedBy: SettingKeys.self, forKey: .propertyList)
            try values.encode(format.format, forKey: .format)
        default: throw EncodingError.unarchivable("the request serializer is a closure", at: encoder.codingPath)
        }
        try values.encode(options, forKey: .options)
    }
}
