/// A non-recursive parser of JSON (RFC 8259) in UTF-8.
///
/// Open arrays and objects are on an explicit stack. Finished values are on a second stack. When a container closes, it
/// takes its values from the second stack, so that it is allocated once with its final size.
struct JSONParser: ~Escapable {
    let bytes: Span<UInt8>
    var position = 0
    private let options: JSONValue.ReadingOptions
    private let maximumDepth: Int
    private var open: [OpenContainer] = []
    private var values: [JSONValue] = []
    /// The keys of all open objects, innermost last.
    private var keys: [String] = []
    /// The positions in the text at which the keys of `keys` begin.
    private var keyOffsets: [Int] = []
    /// A reused buffer for strings with escapes.
    var scratch: [UInt8] = []

    private struct OpenContainer {
        let isObject: Bool
        /// The index in `values` of the container's first value.
        let firstValue: Int
    }

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, options: JSONValue.ReadingOptions) {
        self.bytes = bytes
        self.options = options
        maximumDepth = min(options.maximumDepth, JSONValue.ReadingOptions.depthLimit)
    }

    var isAtEnd: Bool { position == bytes.count }

    /// Reads the whole text as one value.
    mutating func parse() throws(JSONFault) -> JSONValue {
        skipBlanks()
        guard !isAtEnd else { throw JSONFault(.empty, at: position, "the text is empty (\(position) blank bytes)") }
        let start = position
        let value = try value()
        guard options.allowsFragments || !value.isFragment else {
            throw JSONFault(.fragment, at: start, "the text is neither an object nor an array")
        }
        skipBlanks()
        guard isAtEnd else { throw JSONFault(.trailingContent, at: position, "unexpected content after the value") }
        return value
    }

    private mutating func value() throws(JSONFault) -> JSONValue {
        while true {
            guard var value = try scalarOrOpening() else { continue }
            while true {
                guard let container = open.last else { return value }
                values.append(consume value)
                skipBlanks()
                guard position < bytes.count else {
                    throw unexpectedEnd(container.isObject ? "inside an object" : "inside an array")
                }
                let byte = bytes[position]
                if byte == UInt8(ascii: ",") {
                    position += 1
                    skipBlanks()
                    if container.isObject { try key() }
                    break
                }
                guard byte == (container.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw unexpected("',' or '\(container.isObject ? "}" : "]")'")
                }
                position += 1
                value = try close(container)
            }
        }
    }

    /// Reads the scalar or empty container that starts here; nil if a container was opened and its first value follows.
    private mutating func scalarOrOpening() throws(JSONFault) -> JSONValue? {
        guard position < bytes.count else { throw unexpectedEnd("where a value should be") }
        switch bytes[position] {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "["): return try opening(isObject: false, end: UInt8(ascii: "]")) ? nil : .array([])
        case UInt8(ascii: "{"):
            guard try opening(isObject: true, end: UInt8(ascii: "}")) else { return .object(JSONValue.Object()) }
            try key()
            return nil
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try parseNumber())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: throw unexpected("a value")
        }
    }

    /// Opens a container. Returns false if the container is empty, and thus closed again.
    @_lifetime(self: copy self)
    private mutating func opening(isObject: Bool, end: UInt8) throws(JSONFault) -> Bool {
        guard open.count < maximumDepth else {
            throw JSONFault(.tooDeep, at: position, "arrays and objects are nested deeper than \(maximumDepth) levels")
        }
        position += 1
        skipBlanks()
        if position < bytes.count, bytes[position] == end {
            position += 1
            return false
        }
        open.append(OpenContainer(isObject: isObject, firstValue: values.count))
        return true
    }

    /// Reads a key and its colon, up to the value.
    private mutating func key() throws(JSONFault) {
        guard position < bytes.count else { throw unexpectedEnd("where a key should be") }
        guard bytes[position] == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
        keyOffsets.append(position)
        keys.append(try string())
        skipBlanks()
        guard position < bytes.count else { throw unexpectedEnd("after a key") }
        guard bytes[position] == UInt8(ascii: ":") else { throw unexpected("':'") }
        position += 1
        skipBlanks()
    }

    @_lifetime(self: copy self)
    private mutating func close(_ container: OpenContainer) throws(JSONFault) -> JSONValue {
        open.removeLast()
        let count = values.count - container.firstValue
        defer { values.removeLast(count) }
        guard container.isObject else { return .array(Array(values.suffix(count))) }
        defer {
            keys.removeLast(count)
            keyOffsets.removeLast(count)
        }
        var members: [JSONValue.Object.Element] = []
        members.reserveCapacity(count)
        for (key, value) in zip(keys.suffix(count), values.suffix(count)) { members.append((key, value)) }
        if let object = JSONValue.Object(ifUnique: members) { return .object(object) }
        return .object(try resolvingDuplicates(members))
    }

    private func resolvingDuplicates(_ members: [JSONValue.Object.Element]) throws(JSONFault) -> JSONValue.Object {
        switch options.duplicateKeys {
        case .lastWins: return JSONValue.Object(members.lazy.map { ($0.key, $0.value) })
        case .firstWins: return JSONValue.Object(firstOf: members)
        case .error:
            var seen: Set<String> = []
            let second = members.firstIndex { !seen.insert($0.key).inserted } ?? 0
            let offset = keyOffsets[keyOffsets.count - members.count + second]
            throw JSONFault(.duplicateKey, at: offset, "an object has the same key twice")
        }
    }
}

extension JSONParser {
    mutating func skipBlanks() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D: position += 1
            default: return
            }
        }
    }

    @_lifetime(self: copy self)
    mutating func literal(_ word: StaticString, _ value: JSONValue) throws(JSONFault) -> JSONValue {
        for index in 0..<word.utf8CodeUnitCount {
            guard position + index < bytes.count else { throw unexpectedEnd("inside a word", at: bytes.count) }
            guard unsafe bytes[position + index] == word.utf8Start[index] else {
                throw unexpected("the rest of '\(word)'", at: position + index)
            }
        }
        position += word.utf8CodeUnitCount
        return value
    }

    func unexpectedEnd(_ place: String, at offset: Int? = nil) -> JSONFault {
        JSONFault(.unexpectedEnd, at: offset ?? position, "the text ends \(place)")
    }

    func unexpected(_ expected: String, at offset: Int? = nil) -> JSONFault {
        JSONFault(.unexpectedCharacter, at: offset ?? position, "\(expected) expected")
    }

    // MARK: Numbers

    /// Reads the number that starts here with a digit or a minus sign.
    mutating func parseNumber() throws(JSONFault) -> JSONValue.Number {
        let start = position
        let isNegative = position < bytes.count && bytes[position] == UInt8(ascii: "-")
        let integer = try skipNumber()
        guard let integer, integer != 0 || !isNegative else {
            return JSONValue.Number(.digits(text(start..<position, isASCII: true)))
        }
        return if !isNegative {
            integer <= UInt64(Int64.max)
                ? JSONValue.Number(.signed(Int64(integer))) : JSONValue.Number(.unsigned(integer))
        } else if let negative = Int64(exactly: integer).map({ -$0 }) {
            JSONValue.Number(.signed(negative))
        } else if integer == Int64.min.magnitude {
            JSONValue.Number(.signed(.min))
        } else {
            JSONValue.Number(.digits(text(start..<position, isASCII: true)))
        }
    }

    /// Moves past a number (RFC 8259 6).
    ///
    /// - Returns: The magnitude of the number if it is an integer of up to 64 bits, without fraction and exponent; else
    ///   nil.
    @discardableResult
    mutating func skipNumber() throws(JSONFault) -> UInt64? {
        if position < bytes.count, bytes[position] == UInt8(ascii: "-") { position += 1 }
        let integer = try integerDigits()
        var isInteger = true
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            isInteger = false
            try digits("after the decimal point")
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            isInteger = false
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            try digits("in the exponent")
        }
        return isInteger ? integer : nil
    }

    /// Reads the integer digits of a number; nil if their value exceeds 64 bits.
    private mutating func integerDigits() throws(JSONFault) -> UInt64? {
        let start = position
        var value: UInt64 = 0
        var overflows = false
        while position < bytes.count, bytes[position] &- 0x30 < 10 {
            let (product, tooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, larger) = product.addingReportingOverflow(UInt64(bytes[position] &- 0x30))
            overflows = overflows || tooLarge || larger
            value = sum
            position += 1
        }
        guard position > start else { throw noDigit("where a number should start") }
        guard bytes[start] != 0x30 || position == start + 1 else {
            throw JSONFault(.invalidNumber, at: start, "a number has a leading zero")
        }
        return overflows ? nil : value
    }

    @_lifetime(self: copy self)
    private mutating func digits(_ place: String) throws(JSONFault) {
        let start = position
        while position < bytes.count, bytes[position] &- 0x30 < 10 { position += 1 }
        guard position > start else { throw noDigit(place) }
    }

    private func noDigit(_ place: String) -> JSONFault {
        guard position < bytes.count else { return unexpectedEnd("inside a number") }
        return JSONFault(.invalidNumber, at: position, "a digit is missing \(place)")
    }
}

extension JSONValue.Number {
    /// Creates a number from text; nil unless `text` is exactly a number of RFC 8259, 6, without blanks.
    public init?(_ text: some StringProtocol) {
        var utf8 = String(text)
        let number: JSONValue.Number? = utf8.withUTF8 { buffer in
            var parser = unsafe JSONParser(buffer.span, options: JSONValue.ReadingOptions())
            guard let number = try? parser.parseNumber(), parser.isAtEnd else { return nil }
            return number
        }
        guard let number else { return nil }
        self = number
    }
}
