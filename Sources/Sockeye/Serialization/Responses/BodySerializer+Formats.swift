public import SockeyeCore
import SockeyeEngine
public import SockeyeEssentials
public import SockeyeSerialization

/// The format of `.bytes` and `.data`: the unchanged body.
package struct VerbatimFormat<Value>: BodyFormat {
    let convert: @Sendable (Bytes) -> Value

    package func value(from body: Bytes, _: BodyHandling, of _: IncomingResponse) -> Value { convert(body) }
}

extension ResponseSerializer where Self == BodySerializer<Bytes> {
    /// The body as ``Bytes``, unchanged and not copied. Accepts 2xx of any type.
    public static var bytes: Self { BodySerializer(VerbatimFormat { $0 }) }
}

extension ResponseSerializer where Self == BodySerializer<Data> {
    /// The body as Foundation's `Data`, copied. Accepts 2xx of any type. The counterpart of `AFHTTPResponseSerializer`.
    public static var data: Self { BodySerializer(VerbatimFormat { Data($0) }) }
}

/// The format of `.text`: text in the charset that the response declares.
package struct TextFormat: BodyFormat {
    package let fallbackCharset: String

    package func value(from body: Bytes, _: BodyHandling, of response: IncomingResponse) throws -> String {
        try response.text(of: body, fallbackCharset: fallbackCharset)
    }
}

extension ResponseSerializer where Self == BodySerializer<String> {
    /// The body as text. The charset is that of a byte order mark, else that of Content-Type, else UTF-8.
    ///
    /// Accepts 2xx of any type. Invalid bytes become U+FFFD; an unknown charset throws
    /// ``SockeyeError/Code-swift.struct/decodingFailed``. The counterpart of AFNetworking 2's `responseString`.
    public static var text: Self { .text(fallbackCharset: "utf-8") }

    /// The body as text, with a default charset for responses that declare none.
    ///
    /// - Parameter fallbackCharset: A charset name as in Content-Type.
    public static func text(fallbackCharset: String) -> Self {
        BodySerializer(TextFormat(fallbackCharset: fallbackCharset))
    }
}

/// The format of `.json`: JSON of any shape.
package struct JSONValueFormat: BodyFormat {
    package let options: JSONValue.ReadingOptions
    package let removesNulls: Bool

    package func value(from body: Bytes, _: BodyHandling, of response: IncomingResponse) throws -> JSONValue {
        do throws(JSONError) {
            let value = try JSONValue(parsing: body, options: options)
            return removesNulls ? value.removingNulls() : value
        } catch {
            throw response.decodingFailure(error, body: body, excerpt: error.excerpt.description)
        }
    }
}

extension ResponseSerializer where Self == BodySerializer<JSONValue> {
    /// JSON of any shape. The counterpart of `AFJSONResponseSerializer`.
    ///
    /// Accepts 2xx with the types of ``JSONResponseDecoder/contentTypes``, and all JSON of RFC 8259 that is nested at
    /// most 200 levels deep. If a key occurs twice, the last value counts. An empty body and a single space are `null`.
    public static var json: Self { .json(options: JSONValue.ReadingOptions()) }

    /// JSON of any shape, with options.
    ///
    /// - Parameters:
    ///   - options: The options of the parser.
    ///   - removingNulls: Whether object members and array elements that are `null` are removed, as with
    ///     `removesKeysWithNullValues` of AFNetworking 4. Default false.
    public static func json(options: JSONValue.ReadingOptions, removingNulls: Bool = false) -> Self {
        BodySerializer(
            JSONValueFormat(options: options, removesNulls: removingNulls), accept: "application/json",
            handling: JSONResponseDecoder.handling)
    }

    /// JSON of any shape, without object members and array elements that are `null`.
    public static func json(removingNulls: Bool) -> Self {
        .json(options: JSONValue.ReadingOptions(), removingNulls: removingNulls)
    }
}

extension JSONValue: NoContent.Representable {
    /// `null`.
    public static var emptyBody: JSONValue { .null }
}
