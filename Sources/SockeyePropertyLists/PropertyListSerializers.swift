public import SockeyeSerialization

/// The parameter format of property lists.
package struct PropertyListParameterFormat: ParameterFormat {
    package let format: PropertyListFormat

    package init(format: PropertyListFormat = .xml) {
        self.format = format
    }

    package var contentType: String { "application/x-plist" }

    /// - Throws: `EncodingError.invalidValue` with the path of a value that property lists do not support, such as
    ///   null.
    package func body(
        of parameters: RequestParameters, style _: RequestParameters.Style
    ) throws -> OutgoingRequest.Body {
        .bytes(try PropertyListValue.dictionary(parameters).propertyList(format))
    }
}

extension RequestSerializer where Self == ParameterSerializer {
    /// Encodes parameters in the URL for GET, HEAD and DELETE, and as an XML property list for all other methods. The
    /// counterpart of `AFPropertyListRequestSerializer`.
    public static var propertyList: Self { .propertyList(.xml) }

    /// Like `.propertyList`, with other options.
    ///
    /// - Parameters:
    ///   - format: The format of the list.
    ///   - options: The methods with parameters in the URL, and further fields and options of the requests.
    public static func propertyList(
        _ format: PropertyListFormat, options: ParameterSerializer.Options = ParameterSerializer.Options()
    ) -> Self {
        ParameterSerializer(PropertyListParameterFormat(format: format), options: options)
    }
}

/// Decodes `Decodable` values from property lists, XML or binary.
///
/// Accepts `application/x-plist`, as AFNetworking does. Foundation's decoder traps on some damaged lists. So
/// `PropertyListValue` parses the body first, and writes it as a new list for that decoder.
public struct PropertyListResponseDecoder: ResponseDecoder, Hashable {
    /// Creates a decoder.
    public init() {}

    /// The Accept field: `application/x-plist`.
    public var accept: String? { "application/x-plist" }

    /// The handling of bodies: only `application/x-plist` is accepted.
    public var handling: BodyHandling { BodyHandling(contentTypes: ["application/x-plist"]) }

    /// Decodes a value.
    public func decode<Value: Decodable>(_ type: Value.Type, from body: Bytes) throws -> Value {
        let list = try PropertyListValue(propertyList: body)
        return try list as? Value ?? list.decodedPropertyList(as: type)
    }
}

extension ResponseDecoder where Self == PropertyListResponseDecoder {
    /// Decodes property lists, XML or binary.
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
