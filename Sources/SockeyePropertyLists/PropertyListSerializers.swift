public import SockeyeSerialization

/// A property list.
package struct PropertyListParameterFormat: ParameterFormat {
    package let format: PropertyListFormat

    package init(format: PropertyListFormat = .xml) {
        self.format = format
    }

    package var contentType: String { "application/x-plist" }

    /// - Throws: `EncodingError.invalidValue` with the path for null, which property lists do not have.
    package func body(
        of parameters: RequestParameters, style _: RequestParameters.Style
    ) throws -> OutgoingRequest.Body {
        .bytes(try PropertyListValue.dictionary(parameters).propertyList(format))
    }
}

extension RequestSerializer where Self == ParameterSerializer {
    /// The URL for GET, HEAD and DELETE, a property list in XML for all others. The counterpart of
    /// `AFPropertyListRequestSerializer`.
    public static var propertyList: Self { .propertyList(.xml) }

    /// The same with other settings.
    ///
    /// - Parameters:
    ///   - format: The form of the list.
    ///   - options: Which parameters go into the URL instead, and further fields and options of the requests.
    public static func propertyList(
        _ format: PropertyListFormat, options: ParameterSerializer.Options = ParameterSerializer.Options()
    ) -> Self {
        ParameterSerializer(PropertyListParameterFormat(format: format), options: options)
    }
}

/// Reads `Decodable` values from property lists, XML or binary.
///
/// Accepts AFNetworking's type, `application/x-plist`. What comes is read by `PropertyListValue`'s
/// own parser before Foundation's decoder sees it, since that one can be made to trap.
public struct PropertyListResponseDecoder: ResponseDecoder, Hashable {
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

extension ResponseSerializer {
    /// A `Decodable` value from a property list, XML or binary. The counterpart of `AFPropertyListResponseSerializer`.
    ///
    /// Accepts 2xx with `application/x-plist`.
    public static func propertyList<Decoded: Decodable>(
        _ type: Decoded.Type = Decoded.self
    ) -> Self where Self == BodySerializer<Decoded> {
        BodySerializer(decoder: PropertyListResponseDecoder())
    }
}

extension ResponseSerializer where Self == BodySerializer<PropertyListValue> {
    /// A property list of any shape, XML or binary. Accepts 2xx with `application/x-plist`.
    public static var propertyList: Self { BodySerializer(decoder: PropertyListResponseDecoder()) }
}

extension PropertyListError: ContentFormatError {
    package var contentFormat: String { "property list" }
}
