public import FoundationEssentials

extension JSONValue {
    /// What `encoder` makes of `value`.
    ///
    /// - Throws: what the encoder throws.
    public init(encoding value: some Encodable, with encoder: JSONEncoder = JSONEncoder()) throws {
        try self.init(parsing: encoder.encode(value))
    }

    /// What `decoder` makes of this value: a typed part of an otherwise untyped answer.
    ///
    /// It goes through the text, so every option of the decoder applies.
    ///
    /// - Throws: `DecodingError`.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self, with decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, checking: Data(utf8(options: [])))
    }
}
