public import SockeyeCore
import SockeyeEssentials
public import SockeyeSerialization

extension PropertyListValue {
    /// Parses a property list in its XML or binary format.
    ///
    /// Foundation's own decoder traps on some damaged lists, overflows the stack on a list that contains itself, and
    /// expands shared objects without limit. Lists from peers are therefore parsed here first.
    ///
    /// - XML must be UTF-8, or UTF-16 with a byte order mark. No DTD or other file is ever fetched. A document type
    ///   declaration with an internal subset is refused.
    /// - Containers may be nested up to 200 levels deep (``/Sockeye/RequestParameters/maximumDepth``), and dates must
    ///   be finite. The decoded list may take memory of up to 32 times the encoded size, or 1 MiB if that is more.
    /// - A text may have up to 256 consecutive combining marks, because comparing longer runs takes quadratic time.
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
    /// Decodes this value with Foundation's decoder.
    ///
    /// This method writes the value as a new list for the decoder, because the decoder traps on some lists that peers
    /// may send; see ``init(propertyList:)``. Foundation's decoder decodes the string `$null` as nil.
    ///
    /// - Throws: `DecodingError` if this value cannot be decoded as `type`. `EncodingError.invalidValue` under the
    ///   conditions of ``propertyList(_:)``, except that the top-level value need not be a container.
    public func decodedPropertyList<Decoded: Decodable>(as type: Decoded.Type = Decoded.self) throws -> Decoded {
        switch self {
        case .array, .set, .dictionary:
            let list = Data(try propertyList(.binary))
            return try CodingWalk.start { try PropertyListDecoder().decode(type, from: list) }
        default:
            // Wrapped in an array, because Foundation's encoder refuses a top-level value that is not a container.
            let list = Data(try Self.array([self]).propertyList(.binary))
            return try PropertyListDecoder().decode([Decoded].self, from: list)[0]
        }
    }
}

extension PropertyListValue {
    /// Returns the value as a property list.
    ///
    /// Sets become arrays, and decimals become the nearest `Double`.
    ///
    /// - Throws: `EncodingError.invalidValue` with the path of the refused value. The top-level value must be a
    ///   container. Null and types that property lists cannot hold are refused at every level. The XML format also
    ///   refuses dates outside the years 1 to 9999. Containers must not be nested deeper than
    ///   ``/Sockeye/RequestParameters/maximumDepth`` and the thread's stack allow.
    public func propertyList(_ format: PropertyListFormat = .xml) throws -> Bytes {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format == .xml ? .xml : .binary
        return Bytes(try encoder.encode(writable(format, at: [])))
    }

    /// Returns a copy of the value with sets as arrays and decimals as `Double`. Throws if the value cannot be written
    /// in this format.
    private func writable(_ format: PropertyListFormat, at path: [AnyCodingKey]) throws -> PropertyListValue {
        guard !isContainer || path.count < RequestParameters.maximumDepth && StackSpace.allowsWalk(at: path.count)
        else { throw refused("the value is nested too deep", path) }
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

    private var isContainer: Bool {
        switch self {
        case .array, .set, .dictionary: true
        default: false
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
    private static let years = -63_114_076_800.0..<252_423_993_600.0

    private func refused(_ reason: String, _ path: [AnyCodingKey]) -> EncodingError {
        .invalidValue(self, EncodingError.Context(codingPath: path, debugDescription: reason))
    }
}
