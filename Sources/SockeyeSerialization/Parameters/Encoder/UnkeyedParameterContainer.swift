/// Elements of a value. The generic `encode` stands for those of all primitive types, too.
struct UnkeyedParameterContainer: UnkeyedEncodingContainer {
    private let encoder: ParameterEncoder

    init(_ encoder: ParameterEncoder) {
        self.encoder = encoder
        encoder.node.become(.elements)
    }

    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.node.elementCount }

    private var key: AnyCodingKey { AnyCodingKey(intValue: count) }

    mutating func encodeNil() throws {
        encoder.node.append(.value(.null))
    }

    mutating func encode(_ value: some Encodable) throws {
        encoder.node.append(try encoder.slot(for: value, key: key))
    }

    // Without these two the standard library's own, which throw, would be preferred to the generic one.
    mutating func encode(_ value: Int128) throws {
        encoder.node.append(.value(.number(value)))
    }

    mutating func encode(_ value: UInt128) throws {
        encoder.node.append(.value(.number(value)))
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        nested().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        nested().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        nested()
    }

    private func nested() -> ParameterEncoder {
        let child = encoder.child(key)
        encoder.node.append(.node(child.node))
        return child
    }
}
