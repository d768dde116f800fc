import Sockeye

/// JSON as people read it: indented, with keys, strings, numbers and words in colours of their own.
package struct JSONPrinter: Sendable {
    private let style: TextStyle
    private let isIndented: Bool

    package init(_ presentation: Presentation) {
        style = presentation.style
        isIndented = presentation.isIndented
    }

    /// The text without a line break at its end. Members keep their order, numbers all their digits.
    package func text(_ value: JSONValue) -> String {
        var output = ""
        write(value, level: 0, to: &output)
        return output
    }

    /// The text of a body; nil where that is no JSON.
    package func text(parsing body: Bytes) -> String? {
        (try? JSONValue(parsing: body)).map { text($0) }
    }

    // Recursion ends at the depth that JSONValue.ReadingOptions allows.
    private func write(_ value: JSONValue, level: Int, to output: inout String) {
        switch value {
        case .null: output += style("null", .gray)
        case .bool(let value): output += style(value ? "true" : "false", .yellow)
        case .number(let value): output += style(value.description, .magenta)
        case .string(let value): output += style(Self.quoted(value), .green)
        case .array(let elements):
            write(elements, "[", "]", level, to: &output) { element, output in
                write(element, level: level + 1, to: &output)
            }
        case .object(let object):
            write(Array(object), "{", "}", level, to: &output) { member, output in
                output += style(Self.quoted(member.key), .blue) + (isIndented ? ": " : ":")
                write(member.value, level: level + 1, to: &output)
            }
        }
    }

    private func write<Element>(
        _ elements: [Element], _ opening: String, _ closing: String, _ level: Int, to output: inout String,
        each: (Element, inout String) -> Void
    ) {
        output += opening
        for (index, element) in elements.enumerated() {
            if index > 0 { output += "," }
            breakLine(level + 1, to: &output)
            each(element, &output)
        }
        if !elements.isEmpty { breakLine(level, to: &output) }
        output += closing
    }

    private func breakLine(_ level: Int, to output: inout String) {
        guard isIndented else { return }
        output += "\n" + String(repeating: "  ", count: level)
    }

    /// RFC 8259, 7 wants less escaped than terminals need.
    private static func quoted(_ text: String) -> String {
        TerminalText.escaping(JSONValue.string(text).string(options: .withoutEscapingSlashes))
    }
}
