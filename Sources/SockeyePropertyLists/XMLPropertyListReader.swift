import SockeyeEssentials
import SockeyeSerialization

/// A non-recursive parser of XML property lists. It knows their eleven elements and ignores attributes.
struct XMLPropertyListReader: ~Escapable {
    private var scan: XMLPropertyListScanner
    private var budget: PropertyListBudget

    @_lifetime(copy text)
    init(_ text: Span<UInt8>, budget: PropertyListBudget) {
        scan = XMLPropertyListScanner(text)
        self.budget = budget
    }

    mutating func read() throws(PropertyListError) -> PropertyListValue {
        guard let first = try scan.nextTag(), !first.isEnd else { throw scan.malformed("there is no element") }
        guard first.name == "plist" else {
            let value = try value(first)
            try finish()
            return value
        }
        guard !first.isClosed, let root = try scan.nextTag(), !root.isEnd else {
            throw scan.malformed("the list is empty")
        }
        let value = try value(root)
        try scan.expectEnd(of: "plist")
        try finish()
        return value
    }

    private mutating func finish() throws(PropertyListError) {
        guard try scan.nextTag() == nil else { throw scan.malformed("unexpected content after the list") }
    }

    /// Reads the value that begins with a tag, including nested values.
    @_lifetime(self: copy self)
    private mutating func value(_ first: XMLPropertyListTag) throws(PropertyListError) -> PropertyListValue {
        var open: [OpenElement] = []
        var tag: XMLPropertyListTag? = first
        while true {
            let value: PropertyListValue?
            if let tag { value = try begin(tag, in: &open) } else { value = open.removeLast().value }
            if let value {
                guard !open.isEmpty else { return value }
                open[open.count - 1].add(value)
            }
            tag = try nextValue(in: &open[open.count - 1])
        }
    }

    /// Begins a value. Returns a scalar or a self-closed container; nil if a container was opened.
    @_lifetime(self: copy self)
    private mutating func begin(
        _ tag: XMLPropertyListTag, in open: inout [OpenElement]
    ) throws(PropertyListError) -> PropertyListValue? {
        try budget.spend(8, at: scan.position)
        switch tag.name {
        case "dict", "array":
            try PropertyListBudget.check(depth: open.count, at: scan.position)
            let element = OpenElement(isDictionary: tag.name == "dict")
            guard !tag.isClosed else { return element.value }
            open.append(element)
            return nil
        case "true", "false":
            if !tag.isClosed { try scan.expectEnd(of: tag.name) }
            return .bool(tag.name == "true")
        default:
            let text = tag.isClosed ? "" : try scan.text(upToEndOf: tag.name)
            try budget.spend(text.utf8.count, at: scan.position)
            try PropertyListBudget.check(text, at: scan.position)
            guard let value = Self.scalar(tag.name, text) else {
                throw scan.malformed("the element is unknown, or its text is not valid for it")
            }
            return value
        }
    }

    /// Returns the tag of the next value in a container; nil at the end of the container. In a dictionary, reads the
    /// value's key first.
    @_lifetime(self: copy self)
    private mutating func nextValue(in element: inout OpenElement) throws(PropertyListError) -> XMLPropertyListTag? {
        guard element.isDictionary else { return try scan.nextTag(upToEndOf: "array") }
        guard let next = try scan.nextTag(upToEndOf: "dict") else { return nil }
        guard next.name == "key" else { throw scan.malformed("a value of a dictionary has no key") }
        let key = next.isClosed ? "" : try scan.text(upToEndOf: "key")
        try budget.spend(key.utf8.count, at: scan.position)
        try PropertyListBudget.check(key, at: scan.position)
        guard let tag = try scan.nextTag(upToEndOf: "dict") else { throw scan.malformed("a key has no value") }
        element.keys.append(key)
        return tag
    }

    /// Converts the text of an element; nil if the text is invalid for the element, or the element is unknown.
    private static func scalar(_ name: String, _ text: String) -> PropertyListValue? {
        switch name {
        case "string": return .string(text)
        case "integer": return integer(trimmed(text))
        case "real": return real(trimmed(text)).map { .double($0) }
        case "date": return date(trimmed(text)).map { .date($0) }
        case "data":
            let digits = text.utf8.filter { $0 > 0x20 }
            return Data(base64Encoded: Data(digits)).map { .data($0) }
        default: return nil
        }
    }

    private static func date(_ text: String) -> Date? {
        let date = try? Date(text, strategy: .iso8601)
        return date.flatMap { $0.timeIntervalSinceReferenceDate.isFinite ? $0 : nil }
    }

    private static func trimmed(_ text: String) -> String {
        let bytes = text.utf8
        let start = bytes.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let end = start.lastIndex { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        return end.map { String(Substring(start[...$0])) } ?? ""
    }

    /// Parses a decimal number, or a hexadecimal one after `0x`.
    private static func integer(_ text: String) -> PropertyListValue? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        let number = isHexadecimal ? digits.dropFirst(2) : digits
        // UInt64 would accept another sign.
        guard number.first != "+", number.first != "-", let value = UInt64(number, radix: isHexadecimal ? 16 : 10)
        else { return nil }
        guard isNegative else { return .number(value) }
        return value <= UInt64(Int64.max) + 1 ? .integer(Int64(truncatingIfNeeded: 0 &- value)) : nil
    }

    /// Parses a decimal number, or one of the words that Foundation reads as infinities and NaN.
    private static func real(_ text: String) -> Double? {
        switch text.lowercased() {
        case "nan": return .nan
        case "inf", "+inf", "infinity", "+infinity": return .infinity
        case "-inf", "-infinity": return -.infinity
        default:
            guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
            return Double(text)
        }
    }
}

/// An array or dictionary during reading.
private struct OpenElement {
    let isDictionary: Bool
    var keys: [String] = []
    private var values: [PropertyListValue] = []

    init(isDictionary: Bool) {
        self.isDictionary = isDictionary
    }

    mutating func add(_ value: PropertyListValue) {
        values.append(value)
    }

    var value: PropertyListValue {
        isDictionary ? .dictionary(RequestParameters(Array(zip(keys, values)))) : .array(values)
    }
}
