import SockeyeEssentials

extension JSONValue: Codable {
    /// Reads any value from the decoder.
    ///
    /// With `JSONDecoder`, numbers keep 38 digits and objects lose their order. To keep all digits and the order, parse
    /// the bytes with `init(parsing:)`.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for a value that is nested deeper than the thread's stack allows. Up to
    ///   16 levels are always read. A decoder's time for a value grows with the square of the number of containers
    ///   around the value. To limit the time, the same error is thrown if the sum of these squares over all n values,
    ///   containers included, exceeds 2^22 + 512 n. For example, 236 nested arrays exceed this limit.
    public init(from decoder: any Decoder) throws {
        guard let walk = CodingWalk.running else {
            self = try CodingWalk.start { try JSONValue(from: decoder) }
            return
        }
        let outer = try walk.enter(decoder)
        defer { walk.leave(to: outer) }
        if let members = try? decoder.container(keyedBy: AnyCodingKey.self) {
            try StackSpace.check(decoder, at: walk.depth)
            self = .object(try JSONValue.Object(from: members))
            return
        }
        if var elements = try? decoder.unkeyedContainer() {
            try StackSpace.check(decoder, at: walk.depth)
            var values: [JSONValue] = []
            while !elements.isAtEnd { values.append(try elements.decode(JSONValue.self)) }
            self = .array(values)
            return
        }
        let scalar = try decoder.singleValueContainer()
        if scalar.decodeNil() {
            self = .null
        } else if let value = try? scalar.decode(String.self) {
            self = .string(value)
        } else if let value = try? scalar.decode(Bool.self) {
            self = .bool(value)
        } else {
            self = .number(try scalar.decode(JSONValue.Number.self))
        }
    }

    /// Writes the value through any encoder; for numbers, see ``JSONValue/Number/encode(to:)``.
    ///
    /// - Throws: `EncodingError.invalidValue` for a value that is nested deeper than the thread's stack allows. Up to
    ///   16 levels are always written.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .null:
            var scalar = encoder.singleValueContainer()
            try scalar.encodeNil()
        case .bool(let value): try value.encode(to: encoder)
        case .number(let value): try value.encode(to: encoder)
        case .string(let value): try value.encode(to: encoder)
        case .array(let values):
            guard let walk = CodingWalk.running else { return try CodingWalk.start { try encode(to: encoder) } }
            let outer = walk.enter(encoder)
            defer { walk.leave(to: outer) }
            try StackSpace.check(encoder, self, at: walk.depth)
            try values.encode(to: encoder)
        case .object(let value): try value.encode(to: encoder)
        }
    }
}

extension JSONValue.Object: Codable {
    /// Reads a keyed container. The order of the members is the order of the decoder's list of keys.
    public init(from decoder: any Decoder) throws {
        guard let walk = CodingWalk.running else {
            self = try CodingWalk.start { try JSONValue.Object(from: decoder) }
            return
        }
        let outer = try walk.enter(decoder)
        defer { walk.leave(to: outer) }
        try self.init(from: decoder.container(keyedBy: AnyCodingKey.self))
    }

    init(from container: KeyedDecodingContainer<AnyCodingKey>) throws {
        self.init(try container.allKeys.map { ($0.stringValue, try container.decode(JSONValue.self, forKey: $0)) })
    }

    /// Writes a keyed container. The nesting is limited as in ``JSONValue/encode(to:)``.
    public func encode(to encoder: any Encoder) throws {
        guard let walk = CodingWalk.running else { return try CodingWalk.start { try encode(to: encoder) } }
        let outer = walk.enter(encoder)
        defer { walk.leave(to: outer) }
        try StackSpace.check(encoder, self, at: walk.depth)
        var container = encoder.container(keyedBy: AnyCodingKey.self)
        for (key, value) in self { try container.encode(value, forKey: AnyCodingKey(stringValue: key)) }
    }
}

extension JSONValue.Number: Codable {
    /// Reads a 64-bit integer, else a `Decimal`, else a `Double`.
    public init(from decoder: any Decoder) throws {
        let scalar = try decoder.singleValueContainer()
        if let value = try? scalar.decode(Int64.self) {
            self.init(value)
        } else if let value = try? scalar.decode(UInt64.self) {
            self.init(value)
        } else if let value = try? scalar.decode(Decimal.self), let number = JSONValue.Number(value.description) {
            self = number
        } else {
            let value = try scalar.decode(Double.self)
            guard let number = JSONValue.Number(value) else {
                throw DecodingError.dataCorruptedError(
                    in: scalar, debugDescription: "JSON cannot represent the number \(value)")
            }
            self = number
        }
    }

    /// Writes the number as a 64-bit integer if that is exact, else as the nearest `Double`.
    ///
    /// - Throws: `EncodingError.invalidValue` if the number exceeds the range of `Double`.
    public func encode(to encoder: any Encoder) throws {
        var scalar = encoder.singleValueContainer()
        if let value: Int64 = integer() {
            try scalar.encode(value)
        } else if let value: UInt64 = integer() {
            try scalar.encode(value)
        } else if let value = double {
            try scalar.encode(value)
        } else {
            let context = EncodingError.Context(
                codingPath: encoder.codingPath, debugDescription: "the number exceeds the range of Double")
            throw EncodingError.invalidValue(self, context)
        }
    }
}
