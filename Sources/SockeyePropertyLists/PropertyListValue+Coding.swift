import FoundationEssentials
public import SockeyeCore
public import SockeyeSerialization

extension PropertyListValue {
    /// Reads a property list in its XML or binary form.
    ///
    /// Foundation's own decoder traps on some damaged lists, follows a list that contains itself until the stack is
    /// exhausted, and expands shared objects without end; so what peers send is read here first.
    ///
    /// - XML is UTF-8, or UTF-16 with a byte order mark. Nothing is ever fetched; a document type that declares entities is
    ///   refused.
    /// - Containers are nested 200 levels at most (``/Sockeye/RequestParameters/maximumDepth``), dates are finite, and the whole takes no more than 16 times the size of its bytes, or
    ///   1 MiB if that is more.
    ///
    /// - Throws: ``PropertyListError``.
    public init(propertyList bytes: Bytes) throws(PropertyListError) {
        let budget = PropertyListBudget(size: bytes.count)
        if bytes.starts(with: BinaryPropertyListReader.signature) {
            var reader = BinaryPropertyListReader(bytes, budget: budget)
            self = try reader.read()
        } else {
            let text = try XMLPropertyListText(bytes)
            var reader = XMLPropertyListReader(text.utf8.span, budget: budget)
            do throws(PropertyListError) {
                self = try reader.read()
            } catch {
                throw PropertyListError(error.kind, error.message, at: text.originalOffset(of: error.offset))
            }
        }
    }
}

extension PropertyListValue {
    /// What Foundation's decoder makes of this value.
    ///
    /// The value is written as a list again first, because that decoder traps on some lists that peers may send; see
    /// ``init(propertyList:)``. As everywhere with Foundation, the string `$null` means nil.
    ///
    /// - Throws: `DecodingError`.
    public func decodedPropertyList<Decoded: Decodable>(as type: Decoded.Type = Decoded.self) throws -> Decoded {
        switch self {
        case .array, .set, .dictionary:
            return try PropertyListDecoder().decode(type, from: Data(propertyList(.binary)))
        default:
            // Its encoder refuses lists that are no container.
            return try PropertyListDecoder().decode(
                [Decoded].self, from: Data(Self.array([self]).propertyList(.binary)))[0]
        }
    }
}

extension PropertyListValue {
    /// The value as a property list.
    ///
    /// Sets become arrays, and decimals the nearest `Double`.
    ///
    /// - Throws: `EncodingError.invalidValue`, with the path, for a value that is no container, for null, which property lists do not have; for dates
    ///   outside the years 1 to 9999 in the XML form; and for values nested deeper than ``/Sockeye/RequestParameters/maximumDepth``.
    public func propertyList(_ format: PropertyListFormat = .xml) throws -> Bytes {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format == .xml ? .xml : .binary
        return Bytes(try encoder.encode(writable(format, at: [])))
    }

    /// The same value out of what property lists have.
    private func writable(_ format: PropertyListFormat, at path: [AnyCodingKey]) throws -> PropertyListValue {
        guard path.count < RequestParameters.maximumDepth, StackSpace.allowsWalk(at: path.count) else {
            throw refused("the value is nested too deep", path)
        }
        switch self {
        case .null: throw refused("property lists have no null", path)
        case .unsupported: throw refused("property lists cannot hold a value of this type", path)
        case .decimal(let value): return .double(Double(value.description) ?? .nan)
        case .date(let date) where format == .xml && !Self.years.contains(date.timeIntervalSinceReferenceDate):
            throw refused("the date lies outside the years 1 to 9999", path)
        case .array(let elements): return try Self.writable(elements, format, at: path)
        case .set(let elements): return try Self.writable(Self.sorted(elements), format, at: path)
        case .dictionary(let members):
            return .dictionary(
                RequestParameters(
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
