/// Reads one JSON text in UTF-8 (RFC 8259) into a value.
///
/// It does not call itself: open arrays and objects stand on a stack of its own, and the values read so far on another,
/// from which each container takes its own when it closes, so that it is made in one piece of just its size.
struct JSONParser: ~Escapable {
    let bytes: Span<UInt8>
    var position = 0
    private let options: JSONReadingOptions
    private let maximumDepth: Int
    private var open: [OpenContainer] = []
    private var values: [JSONValue] = []
    private var keys: [String] = []
    private var keyOffsets: [Int] = []
    /// Room for strings with escapes.
    var scratch: [UInt8] = []

    private struct OpenContainer {
        let isObject: Bool
        let firstValue: Int
    }

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, options: JSONReadingOptions) {
        self.bytes = bytes
        self.options = options
        maximumDepth = min(options.maximumDepth, JSONReadingOptions.deepest)
    }

    var isAtEnd: Bool { position == bytes.count }

    /// The whole text as one value.
    mutating func parse() throws(JSONFault) -> JSONValue {
        skipBlanks()
        guard !isAtEnd else { throw JSONFault(.empty, at: position, "there is no JSON but \(position) blank bytes") }
        let start = position
        let value = try value()
        guard options.allowsFragments || !value.isFragment else {
            throw JSONFault(.fragment, at: start, "the text is neither an object nor an array")
        }
        skipBlanks()
        guard isAtEnd else { throw JSONFault(.trailingContent, at: position, "the value is followed by more") }
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
                    throw end(container.isObject ? "inside an object" : "inside an array")
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

    /// The scalar that starts here, or the container if it is empty; nil if one was opened and its first value comes.
    private mutating func scalarOrOpening() throws(JSONFault) -> JSONValue? {
        guard position < bytes.count else { throw end("where a value should be") }
        switch bytes[position] {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "["): return try opening(isObject: false, end: UInt8(ascii: "]")) ? nil : .array([])
        case UInt8(ascii: "{"):
            guard try opening(isObject: true, end: UInt8(ascii: "}")) else { return .object(JSONObject()) }
            try key()
            return nil
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        default: throw unexpected("a value")
        }
    }

    /// Steps into a container; false if it is empty, and closed again already.
    private mutating func opening(isObject: Bool, end: UInt8) throws(JSONFault) -> Bool {
        guard open.count < maximumDepth else {
            throw JSONFault(.tooDeep, at: position, "arrays and objects are nested deeper than \(maximumDepth)")
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

    /// A key and its colon; leaves the parser at the value.
    private mutating func key() throws(JSONFault) {
        guard position < bytes.count else { throw end("where a key should be") }
        guard bytes[position] == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
        keyOffsets.append(position)
        keys.append(try string())
        skipBlanks()
        guard position < bytes.count else { throw end("behind a key") }
        guard bytes[position] == UInt8(ascii: ":") else { throw unexpected("':'") }
        position += 1
        skipBlanks()
    }

    private mutating func close(_ container: OpenContainer) throws(JSONFault) -> JSONValue {
        open.removeLast()
        let count = values.count - container.firstValue
        defer { values.removeLast(count) }
        guard container.isObject else { return .array(Array(values.suffix(count))) }
        defer {
            keys.removeLast(count)
            keyOffsets.removeLast(count)
        }
        var members: [JSONObject.Element] = []
        members.reserveCapacity(count)
        for (key, value) in zip(keys.suffix(count), values.suffix(count)) { members.append((key, value)) }
        if let object = JSONObject(ifUnique: members) { return .object(object) }
        return .object(try resolvingDuplicates(members))
    }

    private func resolvingDuplicates(_ members: [JSONObject.Element]) throws(JSONFault) -> JSONObject {
        switch options.duplicateKeys {
        case .lastWins: return JSONObject(members.lazy.map { ($0.key, $0.value) })
        case .firstWins: return JSONObject(firstOf: members)
        case .error:
            var seen: Set<String> = []
            let second = members.firstIndex { !seen.insert($0.key).inserted } ?? 0
            let offset = keyOffsets[keyOffsets.count - members.count + second]
            throw JSONFault(.duplicateKey, at: offset, "a key comes twice in one object")
        }
    }
}
