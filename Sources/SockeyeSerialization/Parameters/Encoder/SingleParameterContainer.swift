/// A value that is written as another one. The generic `encode` stands for those of all primitive types, too.
struct SingleParameterContainer: SingleValueEncodingContainer {
    private let encoder: ParameterEncoder

    init(_ encoder: ParameterEncoder) {
        self.encoder = encoder
    }

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() throws {
        encoder.node.set(.null)
    }

    mutating func encode(_ value: some Encodable) throws {
        try encoder.replace(with: value)
    }

    // Without these two the standard library's own, which throw, would be preferred to the generic one.
    mutating func encode(_ value: Int128) throws {
        encoder.node.set(.number(value))
    }

    mutating func encode(_ value: UInt128) throws {
        encoder.node.set(.number(value))
    }
}
