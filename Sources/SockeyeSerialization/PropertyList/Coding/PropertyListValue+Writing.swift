import FoundationEssentials
public import SockeyeCore

extension PropertyListValue {
    /// The value as a property list.
    ///
    /// Sets become arrays, and decimals the nearest `Double`.
    ///
    /// - Throws: `EncodingError.invalidValue`, with the path, for a value that is no container, for null, which property lists do not have; for dates
    ///   outside the years 1 to 9999 in the XML form; and for values nested deeper than ``Parameters/maximumDepth``.
    public func propertyList(_ format: PropertyListFormat = .xml) throws -> Bytes {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format == .xml ? .xml : .binary
        return Bytes(try encoder.encode(writable(format, at: [])))
    }

    /// The same value out of what property lists have.
    private func writable(_ format: PropertyListFormat, at path: [AnyCodingKey]) throws -> PropertyListValue {
        guard path.count < Parameters.maximumDepth, StackSpace.allowsWalk(at: path.count) else {
            throw refused("the value is nested too deep", path)
        }
        switch self {
        case .null: throw refused("property lists have no null", path)
        case .decimal(let value): return .double(Double(value.description) ?? .nan)
        case .date(let date) where format == .xml && !Self.years.contains(date.timeIntervalSinceReferenceDate):
            throw refused("the date lies outside the years 1 to 9999", path)
        case .array(let elements): return try Self.writable(elements, format, at: path)
        case .set(let elements): return try Self.writable(Self.sorted(elements), format, at: path)
        case .dictionary(let members):
            return .dictionary(
                Parameters(
                    try members.map { member in
                        let path = path + [AnyCodingKey(stringValue: member.name)]
                        return (member.name, try member.value.writable(format, at: path))
                    }))
        default: return self
        }
    }

    private static func writable(
        _ elements: [Self], _ format: PropertyListFormat, at path: [AnyCodingKey]
    ) throws -> PropertyListValue {
        .array(
            try elements.enumerated().map { index, element in
                try element.writable(format, at: path + [AnyCodingKey(intValue: index)])
            })
    }

    /// The years 1 to 9999 in seconds since 2001.
    private static let years = -63_114_076_800.0..<252_455_616_000.0

    private func refused(_ reason: String, _ path: [AnyCodingKey]) -> EncodingError {
        .invalidValue(self, EncodingError.Context(codingPath: path, debugDescription: reason))
    }
}
