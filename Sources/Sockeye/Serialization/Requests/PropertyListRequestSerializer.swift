import SockeyeCore
public import SockeyeEngine
public import SockeyeSerialization

/// Writes parameters as a property list. The counterpart of `AFPropertyListRequestSerializer`.
///
/// For GET, HEAD and DELETE they go into the URL as with ``HTTPRequestSerializer``.
public struct PropertyListRequestSerializer: BodyRequestSerializer {
    /// What goes into the URL instead, and what else the requests get.
    public var settings: RequestSettings
    /// The form of the list. Default XML.
    public var format: PropertyListFormat

    /// Makes a serializer.
    public init(format: PropertyListFormat = .xml, settings: RequestSettings = RequestSettings()) {
        self.format = format
        self.settings = settings
    }

    /// `application/x-plist`.
    public var contentType: String { "application/x-plist" }

    /// The list.
    ///
    /// - Throws: `EncodingError.invalidValue` with the path for null, which property lists do not have.
    public func body(of parameters: Parameters) throws -> RequestBody {
        .bytes(try PropertyListValue.dictionary(parameters).propertyList(format))
    }
}

extension RequestSerializer where Self == PropertyListRequestSerializer {
    /// A property list in XML; see ``PropertyListRequestSerializer``.
    public static var propertyList: Self { PropertyListRequestSerializer() }

    /// A property list.
    public static func propertyList(_ format: PropertyListFormat) -> Self {
        PropertyListRequestSerializer(format: format)
    }
}

extension PropertyListRequestSerializer: Codable {
    private enum CodingKeys: CodingKey { case settings, format }

    /// Reads a serializer; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try container.read(.settings, into: &settings)
        try container.read(.format, into: &format)
    }
}
