public import FoundationEssentials
public import SockeyeCore
import SockeyeEngine
public import SockeyeSerialization

/// The body as it is.
package struct VerbatimFormat<Value>: BodyFormat {
    let convert: @Sendable (Bytes) -> Value

    package func value(from body: Bytes, _: BodyHandling, of _: IncomingResponse) -> Value { convert(body) }
}

extension ResponseSerializer where Self == BodySerializer<Bytes> {
    /// The body as ``Bytes``, as it is and without a copy. Accepts 2xx of any type.
    public static var bytes: Self { BodySerializer(VerbatimFormat { $0 }) }
}

extension ResponseSerializer where Self == BodySerializer<Data> {
    /// The body in Foundation's `Data`, copied. Accepts 2xx of any type. The counterpart of `AFHTTPResponseSerializer`.
    public static var data: Self { BodySerializer(VerbatimFormat { Data($0) }) }
}

/// Text in the charset that the response names.
package struct TextFormat: BodyFormat {
    package let fallbackCharset: String

    package func value(from body: Bytes, _: BodyHandling, of response: IncomingResponse) throws -> String {
        try response.text(of: body, fallbackCharset: fallbackCharset)
    }
}

extension ResponseSerializer where Self == BodySerializer<String> {
    /// The body as text, in the charset of a byte order mark, else of Content-Type, else UTF-8.
    ///
    /// Accepts 2xx of any type. Bytes that are not valid in the charset become U+FFFD; an unknown charset is
    /// ``SockeyeError/Code-swift.struct/decodingFailed``. The counterpart of AFNetworking 2's `responseString`.
    public static var text: Self { .text(fallbackCharset: "utf-8") }

    /// The body as text, in this charset if the response names none.
    ///
    /// - Parameter fallbackCharset: A label as in Content-Type.
    public static func text(fallbackCharset: String) -> Self {
        BodySerializer(TextFormat(fallbackCharset: fallbackCharset))
    }
}

/// JSON of any shape.
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
    /// JSON as it is, whatever its shape. The counterpart of `AFJSONResponseSerializer`.
    ///
    /// Accepts 2xx with the types of ``JSONResponseDecoder/contentTypes``, and everything that RFC 8259 has; of equal keys the
    /// last counts. An empty body and a lone space are `null`.
    public static var json: Self { .json(options: JSONValue.ReadingOptions()) }

    /// JSON as it is.
    ///
    /// - Parameters:
    ///   - options: What is accepted as JSON.
    ///   - removingNulls: Whether members of objects and elements of arrays that are `null` are left out, as with
    ///     `removesKeysWithNullValues` of AFNetworking 4. Default false.
    public static func json(options: JSONValue.ReadingOptions, removingNulls: Bool = false) -> Self {
        BodySerializer(
            JSONValueFormat(options: options, removesNulls: removingNulls), accept: "application/json",
            handling: JSONResponseDecoder.handling)
    }

    /// JSON as it is, without the members of objects and the elements of arrays that are `null`.
    public static func json(removingNulls: Bool) -> Self {
        .json(options: JSONValue.ReadingOptions(), removingNulls: removingNulls)
    }
}

extension JSONValue: NoContent.Representable {
    /// `null`.
    public static var emptyBody: JSONValue { .null }
}
