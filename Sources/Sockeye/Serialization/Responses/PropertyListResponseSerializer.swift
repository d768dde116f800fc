public import SockeyeSerialization

/// Decodes a `Decodable` value from a property list, XML or binary; `PropertyListValue` for one without a type of its own.
///
/// Accepts 2xx with `application/x-plist`. The counterpart of `AFPropertyListResponseSerializer`.
public typealias PropertyListResponseSerializer<Value: Decodable> = DecodableResponseSerializer<
    Value, PropertyListResponseDecoder
>

extension ResponseSerializer {
    /// A `Decodable` value from a property list; see ``PropertyListResponseSerializer``.
    public static func propertyList<Decoded: Decodable>(
        _ type: Decoded.Type = Decoded.self
    ) -> Self where Self == PropertyListResponseSerializer<Decoded> {
        PropertyListResponseSerializer(decoder: PropertyListResponseDecoder())
    }
}

extension ResponseSerializer where Self == PropertyListResponseSerializer<PropertyListValue> {
    /// A property list as it is; see ``PropertyListResponseSerializer``.
    public static var propertyList: Self { PropertyListResponseSerializer(decoder: PropertyListResponseDecoder()) }
}
