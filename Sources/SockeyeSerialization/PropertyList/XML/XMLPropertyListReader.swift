import FoundationEssentials

/// Reads the XML form of a property list: eleven elements without attributes that matter.
struct XMLPropertyListReader: ~Escapable {
    private var scan: XMLPropertyListScanner
    private var budget: PropertyListBudget

    @_lifetime(copy text)
    init(_ text: Span<UInt8>, budget: PropertyListBudget) {
        scan = XMLPropertyListScanner(text)
        self.budget = budget
    }

    mutating func read() throws(PropertyListError) -> PropertyListValue {
        guard let first = try scan.nextTag() else { throw scan.malformed("there is no element") }
        guard first.name == "plist" else {
            let value = try value(first, depth: 0)
            try finish()
            return value
        }
        guard !first.isClosed, let root = try scan.nextTag(), !root.isEnd else {
            throw scan.malformed("the list is empty")
        }
        let value = try value(root, depth: 0)
        try scan.expectEnd(of: "plist")
        try finish()
        return value
    }

    private mutating func finish() throws(PropertyListError) {
        guard try scan.nextTag() == nil else { throw scan.malformed("the list is followed by more") }
    }

    private mutating func value(_ tag: XMLPropertyListTag, depth: Int) throws(PropertyListError) -> PropertyListValue {
        try budget.spend(8, at: scan.position)
        switch tag.name {
        case "dict": return .dictionary(Parameters(try members(tag, depth: depth)))
        case "array": return .array(try elements(tag, depth: depth))
        case "true", "false":
            if !tag.isClosed { try scan.expectEnd(of: tag.name) }
            return .bool(tag.name == "true")
        default:
            let text = tag.isClosed ? "" : try scan.text(upToEndOf: tag.name)
            try budget.spend(text.utf8.count, at: scan.position)
            guard let value = Self.scalar(tag.name, text) else {
                throw scan.malformed("the text of an element is not of its kind, or the element not of a list")
            }
            return value
        }
    }

    private mutating func elements(
        _ tag: XMLPropertyListTag, depth: Int
    ) throws(PropertyListError) -> [PropertyListValue] {
        try PropertyListBudget.check(depth: depth, at: scan.position)
        var elements: [PropertyListValue] = []
        guard !tag.isClosed else { return elements }
        while let next = try scan.nextTag(upToEndOf: "array") { elements.append(try value(next, depth: depth + 1)) }
        return elements
    }

    private mutating func members(
        _ tag: XMLPropertyListTag, depth: Int
    ) throws(PropertyListError) -> [String: PropertyListValue] {
        try PropertyListBudget.check(depth: depth, at: scan.position)
        var members: [String: PropertyListValue] = [:]
        guard !tag.isClosed else { return members }
        while let next = try scan.nextTag(upToEndOf: "dict") {
            guard next.name == "key" else { throw scan.malformed("a value of a dictionary has no key") }
            let key = next.isClosed ? "" : try scan.text(upToEndOf: "key")
            try budget.spend(key.utf8.count, at: scan.position)
            guard let tag = try scan.nextTag(upToEndOf: "dict") else { throw scan.malformed("a key has no value") }
            members[key] = try value(tag, depth: depth + 1)
        }
        return members
    }

    /// Nil if the text is not one of the element's, or there is no such element.
    private static func scalar(_ name: String, _ text: String) -> PropertyListValue? {
        switch name {
        case "string": return .string(text)
        case "integer": return integer(trimmed(text))
        case "real": return real(trimmed(text)).map { .double($0) }
        case "date": return (try? Date(trimmed(text), strategy: .iso8601)).map { .date($0) }
        case "data":
            let digits = text.utf8.filter { $0 > 0x20 }
            return Data(base64Encoded: Data(digits)).map { .data($0) }
        default: return nil
        }
    }

    private static func trimmed(_ text: String) -> String {
        let blank: Set<Character> = [" ", "\t", "\n", "\r", "\r\n"]
        let start = text.drop { blank.contains($0) }
        return start.lastIndex { !blank.contains($0) }.map { String(start[...$0]) } ?? ""
    }

    /// Decimal, or hexadecimal behind `0x`.
    private static func integer(_ text: String) -> PropertyListValue? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        let value = isHexadecimal ? UInt64(digits.dropFirst(2), radix: 16) : UInt64(digits)
        guard let value, digits.first != "+", digits.first != "-" else { return nil }
        guard isNegative else { return .number(value) }
        return value <= UInt64(Int64.max) + 1 ? .integer(Int64(truncatingIfNeeded: 0 &- value)) : nil
    }

    /// A decimal number, or one of the words that Foundation writes.
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
