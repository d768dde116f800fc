/// The keyed container of ``ParameterEncoder``. The generic `encode` also serves all primitive types.
struct KeyedParameterContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let encoder: ParameterEncoder

    init(_ encoder: ParameterEncoder) {
        self.encoder = encoder
        encoder.node.become(.members)
    }

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil(forKey key: Key) throws {
        encoder.node.set(.value(nil), for: key.stringValue)
    }

    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        encoder.node.set(try encoder.slot(for: value, key: key), for: key.stringValue)
    }

    // The standard library has default methods for 128-bit integers, which throw. Without the two methods here, the
    // compiler would choose these defaults instead of the generic `encode`.
    mutating func encode(_ value: Int128, forKey key: Key) throws {
        encoder.node.set(.value(.number(value)), for: key.stringValue)
    }

    mutating func encode(_ value: UInt128, forKey key: Key) throws {
        encoder.node.set(.value(.number(value)), for: key.stringValue)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        nested(key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        nested(AnyCodingKey(stringValue: "super"))
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        nested(key)
    }

    private func nested(_ key: any CodingKey) -> ParameterEncoder {
        let child = encoder.child(key)
        encoder.node.set(.node(child.node), for: key.stringValue)
        return child
    }
}

/// The unkeyed container of ``ParameterEncoder``. The generic `encode` also serves all primitive types.
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
        encoder.node.append(.value(nil))
    }

    mutating func encode(_ value: some Encodable) throws {
        encoder.node.append(try encoder.slot(for: value, key: key))
    }

    // As in `KeyedParameterContainer`: the default methods of the standard library throw.
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

/// The single-value container of ``ParameterEncoder``. The generic `encode` also serves all primitive types.
struct SingleParameterContainer: SingleValueEncodingContainer {
    private let encoder: ParameterEncoder

    init(_ encoder: ParameterEncoder) {
        self.encoder = encoder
    }

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() throws {
        encoder.node.set(nil)
    }

    mutating func encode(_ value: some Encodable) throws {
        try encoder.replace(with: value)
    }

    // As in `KeyedParameterContainer`: the default methods of the standard library throw.
    mutating func encode(_ value: Int128) throws {
        encoder.node.set(.number(value))
    }

    mutating func encode(_ value: UInt128) throws {
        encoder.node.set(.number(value))
    }
}
