public import FoundationEssentials

/// Decodes a `Decodable` value from JSON.
///
/// Accepts 2xx with the types of ``JSONResponseDecoder/contentTypes``. An empty body and a lone space are no value: nil for an
/// optional type, an error for another. The counterpart of `AFJSONResponseSerializer`; for JSON without a type of its own
/// there is `.json`.
public typealias JSONResponseSerializer<Value: Decodable> = DecodableResponseSerializer<Value, JSONResponseDecoder>

extension ResponseSerializer {
    /// A `Decodable` value from JSON; see ``JSONResponseSerializer``.
    ///
    /// - Parameters:
    ///   - type: What to decode.
    ///   - decoder: Strategies for dates, keys and so on; nil for the defaults.
    public static func json<Decoded: Decodable>(
        _ type: Decoded.Type = Decoded.self, decoder: JSONDecoder? = nil
    ) -> Self where Self == JSONResponseSerializer<Decoded> {
        JSONResponseSerializer(decoder: JSONResponseDecoder(decoder))
    }
}
