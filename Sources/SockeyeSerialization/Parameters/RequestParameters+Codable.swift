import SockeyeEssentials

extension RequestParameters: Codable {
    /// Reads a keyed container with any values.
    ///
    /// - Throws: `DecodingError` if the value is not a keyed container, and the errors of `ParameterValue.init(from:)`.
    public init(from decoder: any Decoder) throws {
        guard case .dictionary(let values) = try ParameterValue(from: decoder) else {
            throw DecodingError.typeMismatch(
                RequestParameters.self,
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "expected a keyed container, such as a JSON object"))
        }
        self = values
    }

    /// Writes the values as a keyed container.
    ///
    /// - Throws: `EncodingError` if the values contain a ``ParameterValue/unsupported(type:)``, or are nested deeper
    ///   than ``maximumDepth`` or than the thread's stack allows. Also throws the errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        try ParameterValue.dictionary(self).encode(to: encoder)
    }
}

extension ParameterValue: Codable {
    /// Reads any value. Numbers become the most exact kind that fits: integers, then floating point.
    ///
    /// - Throws: `DecodingError` if the value has an unsupported type, or is nested deeper than
    ///   ``RequestParameters/maximumDepth`` or than the thread's stack allows.
    ///
    ///   The time to read a value grows with the square of its depth, the number of containers around it. Therefore
    ///   `DecodingError` is also thrown if the squared depths of all values, nested ones included, add up to more than
    ///   2^22 + 512 n for n values.
    public init(from decoder: any Decoder) throws {
        guard let walk = CodingWalk.running else {
            self = try CodingWalk.start { try Self(from: decoder) }
            return
        }
        let outer = try walk.enter(decoder)
        defer { walk.leave(to: outer) }
        if let container = try? decoder.container(keyedBy: AnyCodingKey.self) {
            try Self.check(decoder, at: walk.depth)
            let members = try container.allKeys.map {
                ($0.stringValue, try container.decode(Self.self, forKey: $0))
            }
            self = .dictionary(RequestParameters(members))
        } else if var container = try? decoder.unkeyedContainer() {
            try Self.check(decoder, at: walk.depth)
            var elements: [Self] = []
            while !container.isAtEnd { elements.append(try container.decode(Self.self)) }
            self = .array(elements)
        } else {
            self = try Self(scalar: try decoder.singleValueContainer())
        }
    }

    private static func check(_ decoder: any Decoder, at depth: Int) throws {
        guard depth < RequestParameters.maximumDepth else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath, debugDescription: "\(RequestParameters.EncodingError.Code.tooDeep)")
            )
        }
        try StackSpace.check(decoder, at: depth)
    }

    private init(scalar container: any SingleValueDecodingContainer) throws {
        if container.decodeNil() {
            self = .null
        } else if let bool = try? container.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let integer = try? container.decode(UInt64.self) {
            self = .unsignedInteger(integer)
        } else if let number = try? container.decode(Double.self) {
            self = .double(number)
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let date = try? container.decode(Date.self) {
            self = .date(date)
        } else {
            self = .data(try container.decode(Data.self))
        }
    }

    /// Writes the value. Dates and data follow the strategies of the encoder; sets become sorted arrays.
    ///
    /// - Throws: `EncodingError` if the value contains an ``unsupported(type:)``, or is nested deeper than
    ///   ``RequestParameters/maximumDepth`` or than the thread's stack allows. Also throws the errors of the encoder.
    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .dictionary, .array, .set: break
        default:
            var container = encoder.singleValueContainer()
            return try encodeScalar(into: &container)
        }
        guard let walk = CodingWalk.running else { return try CodingWalk.start { try encode(to: encoder) } }
        let outer = walk.enter(encoder)
        defer { walk.leave(to: outer) }
        try check(encoder, at: walk.depth)
        switch self {
        case .dictionary(let members):
            var container = encoder.container(keyedBy: AnyCodingKey.self)
            for member in members { try container.encode(member.value, forKey: AnyCodingKey(stringValue: member.name)) }
        case .array(let elements): try Self.encode(elements, to: encoder)
        case .set(let elements): try Self.encode(Self.sorted(elements), to: encoder)
        default: break
        }
    }

    private func check(_ encoder: any Encoder, at depth: Int) throws {
        guard depth < RequestParameters.maximumDepth else {
            throw EncodingError.invalidValue(
                self,
                .init(
                    codingPath: encoder.codingPath, debugDescription: "\(RequestParameters.EncodingError.Code.tooDeep)")
            )
        }
        try StackSpace.check(encoder, self, at: depth)
    }

    private static func encode(_ elements: [Self], to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in elements { try container.encode(element) }
    }

    private func encodeScalar(into container: inout any SingleValueEncodingContainer) throws {
        switch self {
        case .bool(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .unsignedInteger(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        // Foundation's encoder would write a `Decimal` that is NaN as its description, NaN, which is not JSON.
        case .decimal(let value) where value.isNaN: try container.encode(Double.nan)
        case .decimal(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .unsupported:
            throw EncodingError.invalidValue(
                self,
                .init(
                    codingPath: container.codingPath,
                    debugDescription: "\(RequestParameters.EncodingError.Code.unsupportedValue)"))
        case .null, .array, .set, .dictionary: try container.encodeNil()
        }
    }
}
