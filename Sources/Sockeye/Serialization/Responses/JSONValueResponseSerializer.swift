import SockeyeCore
public import SockeyeEngine
public import SockeyeSerialization

/// Reads JSON as it is, whatever its shape. The counterpart of `AFJSONResponseSerializer`.
///
/// Accepts 2xx with the types of ``JSONResponseDecoder/contentTypes``. An empty body and a lone space are `null`.
public struct JSONValueResponseSerializer: BodyResponseSerializer {
    /// What is done with the body before.
    public var handling: BodyHandling
    /// What is accepted as JSON. Default: everything that RFC 8259 has, of equal keys the last.
    public var options: JSONValue.ReadingOptions
    /// Whether members of objects that are `null` are left out; `null` in arrays stays. AFNetworking's
    /// `removesKeysWithNullValues`. Default false.
    public var removesNulls: Bool

    /// Makes a serializer.
    public init(
        options: JSONValue.ReadingOptions = JSONValue.ReadingOptions(), removesNulls: Bool = false,
        handling: BodyHandling? = nil
    ) {
        self.options = options
        self.removesNulls = removesNulls
        self.handling = handling ?? JSONResponseDecoder.handling
    }

    /// `application/json`.
    public var accept: String? { "application/json" }

    /// Parses the body.
    public func value(from body: Bytes, of response: IncomingResponse) throws -> JSONValue {
        do throws(JSONError) {
            let value = try JSONValue(parsing: body, options: options)
            return removesNulls ? value.removingNulls() : value
        } catch {
            throw response.decodingFailure(error, body: body, excerpt: error.excerpt.description)
        }
    }
}

extension JSONValue: EmptyBodyRepresentable {
    /// `null`.
    public static var emptyBody: JSONValue { .null }
}

extension ResponseSerializer where Self == JSONValueResponseSerializer {
    /// JSON as it is; see ``JSONValueResponseSerializer``.
    public static var json: Self { JSONValueResponseSerializer() }

    /// JSON as it is.
    ///
    /// - Parameters:
    ///   - options: What is accepted as JSON.
    ///   - removingNulls: Whether members of objects that are `null` are left out.
    public static func json(options: JSONValue.ReadingOptions = JSONValue.ReadingOptions(), removingNulls: Bool) -> Self
    {
        JSONValueResponseSerializer(options: options, removesNulls: removingNulls)
    }
}
