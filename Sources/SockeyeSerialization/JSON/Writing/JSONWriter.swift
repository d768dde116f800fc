/// Writes values as JSON (RFC 8259) into one buffer.
struct JSONWriter {
    private(set) var output: [UInt8] = []
    private let options: JSONWritingOptions
    private var level = 0

    init(options: JSONWritingOptions) {
        self.options = options
    }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .number(let value): output.append(contentsOf: value.description.utf8)
        case .string(let value): write(value)
        case .array(let elements): write(elements)
        case .object(let members): write(members)
        }
    }

    private mutating func write(_ elements: [JSONValue]) {
        output.append(UInt8(ascii: "["))
        level += 1
        for (position, element) in elements.enumerated() {
            separate(position)
            write(element)
        }
        close(UInt8(ascii: "]"), isEmpty: elements.isEmpty)
    }

    private mutating func write(_ object: JSONObject) {
        output.append(UInt8(ascii: "{"))
        level += 1
        let members = options.contains(.sortedKeys) ? object.members.sorted(by: Self.precedes) : object.members
        for (position, member) in members.enumerated() {
            separate(position)
            write(member.key)
            append(options.contains(.prettyPrinted) ? " : " : ":")
            write(member.value)
        }
        close(UInt8(ascii: "}"), isEmpty: members.isEmpty)
    }

    private static func precedes(_ left: JSONObject.Element, _ right: JSONObject.Element) -> Bool {
        left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
    }

    private mutating func separate(_ position: Int) {
        if position > 0 { output.append(UInt8(ascii: ",")) }
        breakLine()
    }

    private mutating func close(_ bracket: UInt8, isEmpty: Bool) {
        level -= 1
        if !isEmpty { breakLine() }
        output.append(bracket)
    }

    private mutating func breakLine() {
        guard options.contains(.prettyPrinted) else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * level))
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { unsafe output.append(contentsOf: $0) }
    }

    // MARK: Strings

    private mutating func write(_ text: String) {
        output.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { bytes in
            var start = 0
            for position in 0..<bytes.count where unsafe mustEscape(bytes[position]) {
                unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<position]))
                unsafe escape(bytes[position])
                start = position + 1
            }
            unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
        }
        output.append(UInt8(ascii: "\""))
    }

    private func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            || byte == UInt8(ascii: "/") && !options.contains(.withoutEscapingSlashes)
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        case ..<0x20:
            append("\\u00")
            output.append(UInt8(ascii: "0") + byte >> 4)
            output.append(byte & 15 < 10 ? UInt8(ascii: "0") + byte & 15 : UInt8(ascii: "a") + byte & 15 - 10)
        default:
            output.append(UInt8(ascii: "\\"))
            output.append(byte)
        }
    }
}
