import FoundationEssentials
public import SockeyePropertyLists

extension RequestSettings: Codable {
    private static let archive = Archive<Self>(
        .value("queryStyle", \.queryStyle), .value("placement", \.placement), .value("headers", \.headers),
        .value("options", \.options))

    /// Reads settings; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes settings.
    ///
    /// - Throws: `EncodingError.invalidValue` for closures in style and options.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

extension RequestSettings.ParameterPlacement: Codable {
    private enum CodingKeys: CodingKey { case methodsInURI }

    /// Reads the names of the methods whose parameters go into the URL; all methods where they are missing.
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

extension HTTPRequestSerializer: Codable {
    private static let archive = Archive<Self>(
        .value("settings", \.settings), .optional("formStyle", \.formStyle), .value("charset", \.charset))

    /// Reads a serializer; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes settings, style and charset.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

/// By its raw value.
extension HTTPRequestSerializer.Charset: Codable {}

extension JSONRequestSerializer: Codable {
    private enum CodingKeys: CodingKey { case settings, encoder }

    /// Reads settings and the strategies of the encoder; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let strategies = try container.decodeIfPresent(ArchivedJSONEncoder.self, forKey: .encoder)
        self.init(
            encoder: try strategies?.makeEncoder(at: decoder.codingPath),
            settings: try container.contains(.settings)
                ? container.decode(RequestSettings.self, forKey: .settings) : RequestSettings())
    }

    /// Writes settings and the strategies of the encoder.
    ///
    /// - Throws: `EncodingError.invalidValue` if one of them is a closure.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(settings, forKey: .settings)
        try container.encode(ArchivedJSONEncoder(self.encoder, at: encoder.codingPath), forKey: .encoder)
    }
}

extension PropertyListRequestSerializer: Codable {
    private static let archive = Archive<Self>(.value("settings", \.settings), .value("format", \.format))

    /// Reads a serializer; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self = try Self.archive.read(from: decoder, over: Self())
    }

    /// Writes settings and format.
    public func encode(to encoder: any Encoder) throws { try Self.archive.write(self, to: encoder) }
}

/// By its raw value.
extension PropertyListFormat: Codable {}
