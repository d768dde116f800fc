import SockeyeSerialization

/// Reads `Decodable` values from property lists, XML or binary.
///
/// Accepts AFNetworking's type, `application/x-plist`. What comes is read by `PropertyListValue`'s
/// own parser before Foundation's decoder sees it, since that one can be made to trap.
public struct PropertyListResponseDecoder: ResponseDecoder, Hashable, Codable {
    /// Makes a decoder.
    public init() {}

    /// `application/x-plist`.
    public var accept: String? { "application/x-plist" }

    /// The one type, and an empty body for no value.
    public var handling: BodyHandling { BodyHandling(contentTypes: ["application/x-plist"]) }

    /// Reads a value.
    public func decode<Value: Decodable>(_ type: Value.Type, from body: Bytes) throws -> Value {
        let list = try PropertyListValue(propertyList: body)
        return try list as? Value ?? list.decodedPropertyList(as: type)
    }
}

extension ResponseDecoder where Self == PropertyListResponseDecoder {
    /// Property lists, XML or binary.
    public static var propertyList: Self { PropertyListResponseDecoder() }
}
