public import SockeyeSerialization

/// Writes parameters as a property list. The counterpart of `AFPropertyListRequestSerializer`.
///
/// For GET, HEAD and DELETE they go into the URL as with ``/Sockeye/HTTPRequestSerializer``.
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
    public func body(of parameters: RequestParameters) throws -> OutgoingRequest.Body {
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

extension PropertyListError: ContentFormatError {
    package var contentFormat: String { "property list" }
}
