public import SockeyeCore

extension JSONValue {
    /// The options for writing a ``JSONValue``, modelled on `JSONSerialization.WritingOptions`.
    ///
    /// Without options the text has no white space, `/` is escaped, and members keep their order.
    public struct WritingOptions: OptionSet, Sendable, Hashable {
        /// The options as bits.
        public let rawValue: UInt8

        /// Creates options from bits.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Each member or element on a line of its own, indented by two spaces per level.
        public static let prettyPrinted = JSONValue.WritingOptions(rawValue: 1 << 0)
        /// Members sorted by the UTF-8 bytes of their keys, for texts that are compared or signed.
        public static let sortedKeys = JSONValue.WritingOptions(rawValue: 1 << 1)
        /// `/` unescaped, instead of `\/`.
        public static let withoutEscapingSlashes = JSONValue.WritingOptions(rawValue: 1 << 2)
    }
}

extension JSONValue {
    /// Returns the value as JSON in UTF-8. Every value can be written.
    public func bytes(options: JSONValue.WritingOptions = []) -> Bytes {
        Bytes(utf8(options: options))
    }

    /// Returns the value as JSON text.
    public func string(options: JSONValue.WritingOptions = []) -> String {
        String(decoding: utf8(options: options), as: UTF8.self)
    }

    func utf8(options: JSONValue.WritingOptions) -> [UInt8] {
        var writer = JSONWriter(options: options)
        writer.write(self)
        return writer.output
    }
}

/// A non-recursive writer of JSON (RFC 8259) into one buffer.
struct JSONWriter {
    private(set) var output: [UInt8] = []
    private let options: JSONValue.WritingOptions
    private var level = 0
    private var open: [OpenContainer] = []

    /// A stack frame: the elements or members of a container that are not written yet.
    private enum OpenContainer {
        case array(ArraySlice<JSONValue>)
        case object(ArraySlice<JSONValue.Object.Element>)
    }

    init(options: JSONValue.WritingOptions) {
        self.options = options
    }

    mutating func write(_ value: JSONValue) {
        begin(value)
        while let last = open.popLast() {
            switch last {
            case .array(var rest):
                guard let element = rest.popFirst() else {
                    close(UInt8(ascii: "]"))
                    continue
                }
                separate(isFirst: rest.startIndex == 1)
                open.append(.array(rest))
                begin(element)
            case .object(var rest):
                guard let member = rest.popFirst() else {
                    close(UInt8(ascii: "}"))
                    continue
                }
                separate(isFirst: rest.startIndex == 1)
                write(member.key)
                append(options.contains(.prettyPrinted) ? " : " : ":")
                open.append(.object(rest))
                begin(member.value)
            }
        }
    }

    /// Writes a value that is not a container, or an empty container. For any other container, writes the opening
    /// bracket and adds the contents to `open`.
    private mutating func begin(_ value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .number(let value): output.append(contentsOf: value.description.utf8)
        case .string(let value): write(value)
        case .array(let elements) where elements.isEmpty: append("[]")
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            open.append(.array(elements[...]))
            level += 1
        case .object(let object) where object.isEmpty: append("{}")
        case .object(let object):
            output.append(UInt8(ascii: "{"))
            let members = object.members
            open.append(.object((options.contains(.sortedKeys) ? members.sorted(by: Self.precedes) : members)[...]))
            level += 1
        }
    }

    private static func precedes(_ left: JSONValue.Object.Element, _ right: JSONValue.Object.Element) -> Bool {
        left.key.utf8.lexicographicallyPrecedes(right.key.utf8)
    }

    /// Writes the comma before a member or element, and the line break of ``JSONValue/WritingOptions/prettyPrinted``.
    private mutating func separate(isFirst: Bool) {
        if !isFirst { output.append(UInt8(ascii: ",")) }
        breakLine()
    }

    private mutating func close(_ bracket: UInt8) {
        level -= 1
        breakLine()
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
