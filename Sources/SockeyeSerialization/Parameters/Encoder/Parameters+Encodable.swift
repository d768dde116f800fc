extension Parameters {
    /// Makes parameters of any value that encodes keys: a struct, a dictionary, a class.
    ///
    /// Types stay what they are: dates, data and decimal numbers are kept as such and sets as sets, for the
    /// ``ParameterStyle`` to write; URLs and UUIDs become strings. Properties that are nil are left out, unless their
    /// type encodes nil, as `Optional` elements of arrays do: these are ``ParameterValue/null``. A nil for the whole value is no
    /// parameters.
    ///
    /// - Parameters:
    ///   - value: What is encoded, by its own `encode(to:)`.
    ///   - userInfo: What `encode(to:)` finds in its encoder.
    /// - Throws: ``ParameterEncodingError`` if the value has no keys, is nested deeper than ``maximumDepth``, or
    ///   cannot encode itself.
    public init(
        _ value: some Encodable, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws(ParameterEncodingError) {
        switch try Self.value(of: value, userInfo: userInfo) {
        case .dictionary(let values): self = values
        case .null: self.init()
        default: throw ParameterEncodingError(.notADictionary)
        }
    }

    private static func value(
        of value: some Encodable, userInfo: [CodingUserInfoKey: any Sendable]
    ) throws(ParameterEncodingError) -> ParameterValue {
        if let scalar = value as? any ParameterScalar { return scalar.parameterValue }
        let encoder = ParameterEncoder(userInfo: userInfo)
        do {
            try encoder.encode(value)
        } catch let error as ParameterEncodingError {
            throw error
        } catch {
            throw ParameterEncodingError(.valueFailed, underlying: error)
        }
        return try encoder.node.value(depth: 0)
    }
}
