public import FoundationEssentials
public import SockeyeEngine
public import SockeyeSerialization

extension SockeyeError.Evidence {
    /// The media type of the body.
    public var contentType: InternetMediaType? { InternetMediaType.extract(from: headers[values: .contentType]) }

    /// The body as JSON, as far as it is: what many APIs explain an error with. (AFNetworking delivers it along with the
    /// error.)
    ///
    /// Nil if the content is not of a type for JSON, is no JSON, or was cut at 64 KiB.
    public var json: JSONValue? {
        guard let type = contentType, JSONResponseDecoder.contentTypes.contains(where: { type.matches($0) }) else {
            return nil
        }
        return try? JSONValue(parsing: body)
    }

    /// Decodes the body from JSON, whatever its type says.
    ///
    /// ```swift
    /// } catch {
    ///     let problem = try error.response?.decoded(as: Problem.self)  // nil where there was no response
    /// }
    /// ```
    ///
    /// - Throws: What the decoder throws, and what ``JSONResponseDecoder`` does of nesting.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try body.withData { try decoder.decode(type, checking: $0) }
    }
}
