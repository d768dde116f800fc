extension RequestParameters {
    /// Makes parameters of any value that encodes keys: a struct, a dictionary, a class.
    ///
    /// Types stay what they are: dates, data and decimal numbers are kept as such and sets as sets, for the
    /// ``RequestParameters/Style`` to write; URLs and UUIDs become strings. Nil is omitted, as in literals, whichever way a type
    /// encodes it; a ``ParameterValue/null`` is kept. A nil for the whole value is no parameters.
    ///
    /// - Parameters:
    ///   - value: What is encoded, by its own `encode(to:)`.
    ///   - userInfo: What `encode(to:)` finds in its encoder.
    /// - Throws: ``RequestParameters/EncodingError`` if the value has no keys, is nested deeper than ``maximumDepth``, or
    ///   cannot encode itself.
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
    let node: ParameterNode
    let userInfo: [CodingUserInfoKey: Any]
    private let depth: Int
    private let parent: ParameterEncoder?
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

    /// Put together only when somebody asks.
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

    /// A place inside this one, for a value that is written piece by piece.
    func child(_ key: any CodingKey) -> ParameterEncoder {
        ParameterEncoder(ParameterNode(), in: self, key: key)
    }

    /// A value inside this one.
    func slot(for value: some Encodable, key: any CodingKey) throws -> ParameterNode.Slot {
        if let scalar = value as? any ParameterScalar { return .value(scalar.parameterValue) }
        let child = child(key)
        try child.encode(value)
        return .node(child.node)
    }

    /// A value that stands for this one.
    func replace(with value: some Encodable) throws {
        if let scalar = value as? any ParameterScalar { return node.set(scalar.parameterValue) }
        try ParameterEncoder(node, in: self, key: nil).encode(value)
    }

    /// Lets a value encode itself into this place. What it throws is reported with the innermost path.
    func encode(_ value: some Encodable) throws {
        // Values that only stand for others (optionals, for one) are no levels, but they need the stack, too.
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

    private var names: [String] { codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue } }
}
