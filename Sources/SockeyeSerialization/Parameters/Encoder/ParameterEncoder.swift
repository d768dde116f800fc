extension RequestParameters {
    /// Creates parameters from any value that encodes keys: a struct, a dictionary, a class.
    ///
    /// Dates, data, decimal numbers and sets keep their types, until the ``RequestParameters/Style`` converts them to
    /// text; URLs and UUIDs become strings. Nil is omitted, even if a type encodes it explicitly; a
    /// ``ParameterValue/null`` is kept. If the whole value is nil or ``ParameterValue/null``, the parameters are empty.
    ///
    /// - Parameters:
    ///   - value: The value to encode, by its own `encode(to:)`.
    ///   - userInfo: The values that `encode(to:)` finds in its encoder.
    /// - Throws: ``RequestParameters/EncodingError`` if the value has no keys, cannot encode itself, or is nested
    ///   too deep for ``maximumDepth`` or for the thread's stack.
    public init(
        _ value: some Encodable, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) throws(RequestParameters.EncodingError) {
        switch try Self.value(of: value, userInfo: userInfo) {
        case .dictionary(let values)?: self = values
        case nil, .null?: self.init()
        default: throw RequestParameters.EncodingError(.notADictionary)
        }
    }

    private static func value(
        of value: some Encodable, userInfo: [CodingUserInfoKey: any Sendable]
    ) throws(RequestParameters.EncodingError) -> ParameterValue? {
        if let scalar = value as? any ParameterScalar { return scalar.parameterValue }
        let encoder = ParameterEncoder(userInfo: userInfo)
        do {
            try encoder.encode(value)
        } catch let error as RequestParameters.EncodingError {
            throw error
        } catch {
            throw RequestParameters.EncodingError(.valueFailed, underlying: error)
        }
        return try encoder.node.value(depth: 0)
    }
}

/// An `Encoder` that builds a tree of ``ParameterNode``.
final class ParameterEncoder: Encoder {
    /// The node that the value of this encoder fills.
    let node: ParameterNode
    let userInfo: [CodingUserInfoKey: Any]
    /// The number of encoders around this encoder.
    private let depth: Int
    /// Nil for the outermost encoder.
    private let parent: ParameterEncoder?
    /// The key of this encoder's value in the enclosing value. Nil for the outermost value, and for a value in a
    /// single-value container, such as the value of an optional.
    private let key: (any CodingKey)?

    init(userInfo: [CodingUserInfoKey: Any]) {
        node = ParameterNode()
        self.userInfo = userInfo
        depth = 0
        parent = nil
        key = nil
    }

    init(_ node: ParameterNode, in parent: ParameterEncoder, key: (any CodingKey)?) {
        self.node = node
        self.parent = parent
        self.key = key
        userInfo = parent.userInfo
        depth = parent.depth + 1
    }

    /// The keys that lead to the value, computed only on demand.
    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var encoder: ParameterEncoder? = self
        while let current = encoder {
            if let key = current.key { path.append(key) }
            encoder = current.parent
        }
        path.reverse()
        return path
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedParameterContainer(self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedParameterContainer(self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleParameterContainer(self)
    }

    /// Returns an encoder for a nested value that is written piece by piece.
    func child(_ key: any CodingKey) -> ParameterEncoder {
        ParameterEncoder(ParameterNode(), in: self, key: key)
    }

    /// Encodes a nested value and returns the result.
    func slot(for value: some Encodable, key: any CodingKey) throws -> ParameterNode.Slot {
        if let scalar = value as? any ParameterScalar { return .value(scalar.parameterValue) }
        let child = child(key)
        try child.encode(value)
        return .node(child.node)
    }

    /// Encodes `value` into this encoder's own node, for a single-value container.
    func replace(with value: some Encodable) throws {
        if let scalar = value as? any ParameterScalar { return node.set(scalar.parameterValue) }
        try ParameterEncoder(node, in: self, key: nil).encode(value)
    }

    /// Lets a value encode itself into this encoder. An error gets the path of the innermost value that failed.
    func encode(_ value: some Encodable) throws {
        // `depth` counts encoders. A value that only wraps another value, such as an optional, is not a level of
        // nesting, but has an encoder of its own and uses stack space. Twice the maximum leaves room for one wrapper
        // per level.
        guard depth < 2 * RequestParameters.maximumDepth, StackSpace.allowsWalk(at: depth) else {
            throw RequestParameters.EncodingError(.tooDeep, at: names)
        }
        if value is any ParameterSet { node.isSet = true }
        do {
            try value.encode(to: self)
        } catch let error as RequestParameters.EncodingError {
            throw error
        } catch {
            throw RequestParameters.EncodingError(.valueFailed, at: names, underlying: error)
        }
    }

    /// The coding path as texts, for errors.
    private var names: [String] { codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue } }
}
